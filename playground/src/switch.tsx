/** A few words of which one holds. */
export function Switch<Id extends string>({
  name,
  legend,
  options,
  value,
  onChange,
}: {
  name: string;
  /** For ears: the words say it to eyes. */
  legend: string;
  options: readonly { readonly id: Id; readonly label: string; readonly disabled?: boolean }[];
  value: Id;
  onChange: (id: Id) => void;
}) {
  return (
    <fieldset className="switch">
      <legend className="visually-hidden">{legend}</legend>
      {options.map(({ id, label, disabled }) => (
        <label key={id}>
          <input
            type="radio"
            name={name}
            disabled={disabled}
            value={id}
            checked={value === id}
            onChange={() => onChange(id)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
