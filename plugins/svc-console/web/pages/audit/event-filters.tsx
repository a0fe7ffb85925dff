/** The filters of the journal. They are in the address, so that what is found can be linked to. */
import { useAnswer } from '../../app/answer.ts'
import { place, setQuery } from '../../app/location.ts'
import { Choice, FilterBox } from '../../parts/filter-box.tsx'
import { KeptInput } from '../../parts/kept-input.tsx'
import { TimeField } from '../../parts/time-field.tsx'
import { type AuditFilter, FILTERS, readCatalogue } from './audit-api.ts'

export function currentFilter(): AuditFilter {
  const { query } = place.value
  const entries = FILTERS.map((name) => [name, query.get(name) ?? ''] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

const SPANS: readonly [title: string, ms: number][] = [
  ['Last hour', 3_600_000],
  ['Last 24 hours', 86_400_000],
  ['Last 7 days', 604_800_000]
]

const OUTCOMES = ['success', 'failure', 'denied']

export function EventFilters() {
  const { q: _, ...filter } = currentFilter()
  const catalogue = useAnswer('catalogue', readCatalogue).value ?? []
  const categories = [...new Set(catalogue.map(({ category }) => category))]
  const actions = catalogue.filter(({ category }) => filter.category === undefined || category === filter.category)
  const text = (name: 'actor' | 'requestId', label: string) => (
    <label>
      {label}
      <KeptInput value={filter[name]} onCommit={(text) => setQuery({ [name]: text })} maxLength={1024} />
    </label>
  )
  return (
    <FilterBox count={Object.keys(filter).length}>
      <Choice
        label="Category"
        value={filter.category}
        options={categories}
        onChange={(category) => setQuery({ category, action: null })}
      />
      <Choice
        label="Action"
        value={filter.action}
        options={actions.map(({ action }) => action)}
        onChange={(action) => setQuery({ action })}
      />
      <Choice label="Outcome" value={filter.outcome} options={OUTCOMES} onChange={(outcome) => setQuery({ outcome })} />
      {text('actor', 'Actor')}
      {text('requestId', 'Request')}
      <TimeField label="From" value={filter.since} onChange={(since) => setQuery({ since })} />
      <TimeField label="To" value={filter.until} onChange={(until) => setQuery({ until })} />
      <div class="spans">
        {SPANS.map(([title, ms]) => (
          <button
            type="button"
            class="plain"
            key={title}
            onClick={() => setQuery({ since: String(Date.now() - ms), until: null })}
          >
            {title}
          </button>
        ))}
        {Object.keys(filter).length > 0 && (
          <button
            type="button"
            class="plain"
            onClick={() => setQuery(Object.fromEntries(Object.keys(filter).map((name) => [name, null])))}
          >
            Clear filters
          </button>
        )}
      </div>
    </FilterBox>
  )
}
