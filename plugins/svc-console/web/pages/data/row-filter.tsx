/** Which rows, and in which order: both are in the address. */
import { useState } from 'preact/hooks'
import { place, setQuery } from '../../app/location.ts'
import type { Entity } from './data-api.ts'
import { isComparable, isSortable } from './row-question.ts'

interface RowFilterProps {
  readonly entity: Entity
  /** Names of those that are shown. */
  readonly fields: readonly string[]
}

const WAYS = [
  ['ASC', 'up'],
  ['DESC', 'down']
] as const

export function RowFilter({ entity: { columns }, fields }: RowFilterProps) {
  const { query } = place.value
  const [field, setField] = useState(query.get('field') ?? '')
  const [value, setValue] = useState(query.get('value') ?? '')
  const [isNull, setNull] = useState(query.has('null'))
  const shown = columns.filter(({ name }) => fields.includes(name))
  const column = columns.find(({ name }) => name === field)
  const submit = (event: Event) => {
    event.preventDefault()
    setQuery({ field, value: isNull || field === '' ? null : value, null: isNull && field !== '' ? '1' : null })
  }
  return (
    <form class="filters" onSubmit={submit}>
      <label>
        Field
        <select
          data-search
          value={field}
          onChange={(event) => {
            setField(event.currentTarget.value)
            setValue('')
            setNull(false)
          }}
        >
          <option value="">any</option>
          {shown.filter(isComparable).map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        Value
        <input
          value={value}
          disabled={field === '' || isNull}
          maxLength={1000}
          placeholder={column?.values?.join(', ') ?? column?.type}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
      </label>
      {column?.nullable === true && (
        <label class="check">
          <input type="checkbox" checked={isNull} onChange={(event) => setNull(event.currentTarget.checked)} />
          Null
        </label>
      )}
      <label>
        Order
        <select value={query.get('order') ?? ''} onChange={(event) => setQuery({ order: event.currentTarget.value })}>
          <option value="">by id</option>
          {shown.filter(isSortable).flatMap(({ name }) =>
            WAYS.map(([way, title]) => (
              <option key={`${name} ${way}`} value={`${name}:${way}`}>
                {name}, {title}
              </option>
            ))
          )}
        </select>
      </label>
      <button type="submit">Filter</button>
    </form>
  )
}
