/** The endpoints that messages are sent to, and how each of them fares. */
import { useAnswer } from '../../app/answer.ts'
import { useList } from '../../app/list.ts'
import { href, place, setQuery } from '../../app/location.ts'
import { useRenewal } from '../../app/renewal.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { milliseconds } from '../../parts/figure.tsx'
import { KeptInput } from '../../parts/kept-input.tsx'
import { ListRows } from '../../parts/list-rows.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { Time } from '../../parts/time.tsx'
import { HealthBadge, percent, sum } from './endpoint-health.tsx'
import { type Endpoint, type RecentOutcomes, readEndpoints, readStats, type Stats } from './webhooks-api.ts'

const HEAD = ['Health', 'URL', 'Description', 'Success', 'Last 24 h', 'Mean', 'Last sent']

/** Each title with its count in the statistics, and the one filter of the API that it sets. */
const STATES: readonly [title: string, count: StateCount, query: Readonly<Record<string, string>>][] = [
  ['All', 'total', {}],
  ['Active', 'active', { enabled: 'true' }],
  ['Disabled', 'disabled', { enabled: 'false' }],
  ['Failing', 'failing', { failing: 'true' }],
  ['Degraded', 'degraded', { degraded: 'true' }]
]

type StateCount = 'total' | 'active' | 'disabled' | 'failing' | 'degraded'

const FILTERS = ['enabled', 'failing', 'degraded'] as const

export function EndpointList() {
  const { query } = place.value
  const filter = Object.fromEntries(
    ['q', ...FILTERS, 'event'].flatMap((name) => {
      const value = query.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    })
  )
  const list = useList(JSON.stringify(filter), (cursor) => readEndpoints(filter, cursor))
  const counts = useAnswer('stats', readStats)
  const stats = counts.value
  useRenewal(() => {
    list.renew()
    counts.reload()
  })
  const filtered = Object.keys(filter).length > 0
  return (
    <>
      <PageHead title="Webhooks">
        <a class="button primary" href={href(['webhooks', 'new'])}>
          New endpoint
        </a>
      </PageHead>
      {stats?.enabled === false && (
        <p class="notice warn">Webhooks are switched off (svc-webhooks, option enabled), or have no key.</p>
      )}
      <label class="search">
        <span class="hidden">Search by URL or description</span>
        <KeptInput
          type="search"
          data-search
          placeholder="Search by URL or description"
          maxLength={200}
          value={filter.q}
          onCommit={(q) => setQuery({ q })}
        />
      </label>
      <fieldset class="states">
        <legend class="hidden">State</legend>
        {STATES.map(([title, count, state]) => (
          <button
            type="button"
            key={title}
            aria-pressed={FILTERS.every((name) => query.get(name) === (state[name] ?? null))}
            onClick={() => setQuery(Object.fromEntries(FILTERS.map((name) => [name, state[name] ?? null])))}
          >
            {`${title} (${stats?.[count] ?? '–'})`}
          </button>
        ))}
        {(stats === null || stats.queue !== undefined) && <QueueState queue={stats?.queue ?? null} />}
      </fieldset>
      <ListRows
        list={list}
        one="endpoint"
        label="Endpoints"
        head={HEAD}
        columns="endpoint-columns"
        keyOf={({ id }) => id}
        cells={cells}
        empty={<Nothing filtered={filtered} />}
      />
    </>
  )
}

/** Has its place before it is known, so that the list does not move. */
function QueueState({ queue }: { readonly queue: Stats['queue'] | null }) {
  return (
    <span class="muted">
      {queue?.size ?? '–'} waiting, {queue?.inFlight ?? '–'} in progress, {queue?.dropped ?? '–'} dropped
    </span>
  )
}

function cells(endpoint: Endpoint) {
  const { id, url, description, lastDeliveryAt, recent = null } = endpoint
  return [
    <HealthBadge key="health" endpoint={endpoint} />,
    <a key="url" href={href(['webhooks', id])}>
      {url}
    </a>,
    description,
    recent === null ? '' : successOf(recent),
    recent === null ? '' : <Sparkline key="day" good={recent.delivered} bad={recent.failed} label={dayOf(recent)} />,
    recent === null ? '' : milliseconds(recent.meanMs),
    <Time key="last" at={lastDeliveryAt} />
  ]
}

function successOf({ delivered, failed }: RecentOutcomes): string {
  return percent(sum(delivered), sum(delivered) + sum(failed))
}

function dayOf({ delivered, failed }: RecentOutcomes): string {
  return `${sum(delivered)} delivered, ${sum(failed)} failed within 24 hours`
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState title="No endpoint matches.">
        <a href={href(['webhooks'])}>Show all</a>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No endpoint is registered.">
      <p>An endpoint is a URL that gets a signed message for each event it subscribes to.</p>
      <a class="button primary" href={href(['webhooks', 'new'])}>
        Register the first one
      </a>
    </EmptyState>
  )
}
