/** The filters of a list: folded away where there is little room, unless one is set. */
import type { ComponentChildren } from 'preact'

const roomy = window.matchMedia('(min-width: 1000px)')

/** @param count of the filters that are set */
export function FilterBox({ count, children }: { readonly count: number; readonly children: ComponentChildren }) {
  return (
    <details class="filter-box" open={roomy.matches || count > 0}>
      <summary>{count === 0 ? 'Filters' : `Filters (${count})`}</summary>
      <div class="filters">{children}</div>
    </details>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly string[]
  readonly onChange: (value: string | null) => void
}

/** One of several values, or any. */
export function Choice({ label, value = '', options, onChange }: ChoiceProps) {
  // A value of the address may not be among what is known yet.
  const known = value === '' || options.includes(value) ? options : [value, ...options]
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">any</option>
        {known.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  )
}
