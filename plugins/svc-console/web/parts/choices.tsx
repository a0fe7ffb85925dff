/** Names to choose from, folded away, beside a field in which they can be written. */
interface ChoicesProps {
  readonly title: string
  /** `null` until they are there. */
  readonly options: readonly { readonly name: string; readonly description?: string }[] | null
  readonly chosen: readonly string[]
  readonly onToggle: (name: string) => void
}

export function Choices({ title, options, chosen, onToggle }: ChoicesProps) {
  if (options !== null && options.length === 0) return null
  return (
    <details>
      <summary>
        {title} ({options === null ? '–' : options.length})
      </summary>
      <ul class="picker">
        {options?.map(({ name, description }) => (
          <li key={name}>
            <label class="check">
              <input type="checkbox" checked={chosen.includes(name)} onChange={() => onToggle(name)} />
              <span>
                <code>{name}</code> {description !== undefined && <span class="muted">{description}</span>}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The names with another one, or without it where it is among them. */
export function toggled(names: readonly string[], name: string): readonly string[] {
  const others = names.filter((other) => other !== name)
  return others.length < names.length ? others : [...names, name]
}
