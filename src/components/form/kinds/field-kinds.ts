import type { FormField } from '../schema/form-field.ts';
import { booleanKind } from './boolean.tsx';
import { choiceKind } from './choice.tsx';
import { constantKind } from './constant.tsx';
import type { FieldKind } from './field-kind.ts';
import { fileKind } from './file.tsx';
import { fixedKind } from './fixed.tsx';
import { groupKind } from './group.tsx';
import { jsonKind } from './json.tsx';
import { listKind } from './list.tsx';
import { multiChoiceKind } from './multi-choice.tsx';
import { numberKind } from './number.tsx';
import { recordKind } from './record.tsx';
import { scaleKind } from './scale.tsx';
import { textKind } from './text.tsx';
import { unionKind } from './union.tsx';

/** Every kind of field. */
export const FIELD_KINDS: {
  readonly [Kind in FormField['kind']]: FieldKind<Extract<FormField, { kind: Kind }>>;
} = {
  text: textKind,
  number: numberKind,
  scale: scaleKind,
  boolean: booleanKind,
  choice: choiceKind,
  'multi-choice': multiChoiceKind,
  file: fileKind,
  constant: constantKind,
  fixed: fixedKind,
  group: groupKind,
  list: listKind,
  record: recordKind,
  union: unionKind,
  json: jsonKind,
};
