import { type ChoiceLabels, englishChoiceLabels } from './choice-labels.ts';
import { type ComposerLabels, englishComposerLabels } from './composer-labels.ts';
import { type DeliveryLabels, englishDeliveryLabels } from './delivery-labels.ts';
import { type ElicitationLabels, englishElicitationLabels } from './elicitation-labels.ts';
import { type ErrorLabels, englishErrorLabels } from './error-labels.ts';
import { englishFormLabels, type FormLabels } from './form-labels.ts';
import { englishInboxLabels, type InboxLabels } from './inbox-labels.ts';
import { englishPolicyLabels, type PolicyLabels } from './policy-labels.ts';
import { englishSharedLabels, type SharedLabels } from './shared-labels.ts';
import { englishTranscriptLabels, type TranscriptLabels } from './transcript-labels.ts';
import { englishUploadLabels, type UploadLabels } from './upload-labels.ts';

/**
 * Every string the kit shows or reads out. Pass some of them as `labels` to a component, or to `LabelsProvider` for a
 * whole tree; the others stay English. A string with a number or a name in it is a function, so that a translation can
 * order its words.
 */
export interface Labels
  extends SharedLabels,
    ChoiceLabels,
    ComposerLabels,
    DeliveryLabels,
    ElicitationLabels,
    ErrorLabels,
    FormLabels,
    InboxLabels,
    PolicyLabels,
    TranscriptLabels,
    UploadLabels {}

/** The default strings. The rooms of the kit import their own, so that a page pays for those of the rooms it shows. */
export const englishLabels: Labels = {
  ...englishSharedLabels,
  ...englishChoiceLabels,
  ...englishComposerLabels,
  ...englishDeliveryLabels,
  ...englishElicitationLabels,
  ...englishErrorLabels,
  ...englishFormLabels,
  ...englishInboxLabels,
  ...englishPolicyLabels,
  ...englishTranscriptLabels,
  ...englishUploadLabels,
};
