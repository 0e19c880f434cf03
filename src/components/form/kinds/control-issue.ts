/** An error of one control. `name` is its place in the form values, such as `value.f0.2.item`. */
export interface ControlIssue {
  readonly name: string;
  readonly label: string;
  readonly message: string;
  /** The labels of the groups around the control, the outermost first. */
  readonly group?: readonly string[] | undefined;
  readonly basis?: Basis | undefined;
}

/**
 * The two cases in which a schema sees the field differently than the form: its `pattern` came without flags, or the form
 * has no value to give to the schema, because the field is empty or its text cannot be read.
 */
export type Basis = 'pattern' | 'no-value';

/** The control to which an issue of a schema belongs. */
export interface Place extends Pick<ControlIssue, 'name' | 'label' | 'group'> {
  /** The path of the issue inside the JSON that the control edits. */
  readonly inside?: readonly PropertyKey[];
}
