import { englishChoiceLabels } from '../../text/choice-labels.ts';
import { englishElicitationLabels } from '../../text/elicitation-labels.ts';
import { englishFormLabels } from '../../text/form-labels.ts';
import { useLabels } from '../../text/labels-context.tsx';
import { englishUploadLabels } from '../../text/upload-labels.ts';

/** Returns the strings of forms: their own, and those of the options, files and warnings in them. */
export function useFormLabels() {
  return useLabels(englishFormLabels, englishChoiceLabels, englishUploadLabels, englishElicitationLabels);
}

export type FormRoomLabels = ReturnType<typeof useFormLabels>;
