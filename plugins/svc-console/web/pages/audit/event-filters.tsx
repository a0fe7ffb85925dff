/** The filters of the journal. They are in the address, so that what is found can be linked to. */
import { useAnswer } from '../../app/answer.ts'
import { place, setQuery } from '../../app/location.ts'
import { Choice, FilterBox } from '../../parts/filter-box.tsx'
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
  const filter = currentFilter()
  const catalogue = useAnswer('catalogue', readCatalogue).value ?? []
  const categories = [...new Set(catalogue.map(({ category }) => category))]
  const actions = catalogue.filter(({ category }) => filter.category === undefined || category === filter.category)
  const text = (name: 'actor' | 'requestId', label: string) => (
    <label>
      {label}
      <input
        value={filter[name] ?? ''}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value.trim() })}
        maxLength={1024}
      />
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
      <label>
        From
        <input
          type="datetime-local"
          step="1"
          value={localInput(filter.since)}
          onChange={(event) => setQuery({ since: epoch(event.currentTarget.value) })}
        />
      </label>
      <label>
        To
        <input
          type="datetime-local"
          step="1"
          value={localInput(filter.until)}
          onChange={(event) => setQuery({ until: epoch(event.currentTarget.value) })}
        />
      </label>
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
            onClick={() => setQuery(Object.fromEntries(FILTERS.map((name) => [name, null])))}
          >
            Clear filters
          </button>
        )}
      </div>
    </FilterBox>
  )
}

/** Epoch ms as the field of the browser writes a local time. */
function localInput(ms: string | undefined): string {
  const time = new Date(Number(ms))
  if (ms === undefined || Number.isNaN(time.getTime())) return ''
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

function epoch(local: string): string | null {
  const time = new Date(local).getTime()
  return Number.isNaN(time) ? null : String(time)
}
