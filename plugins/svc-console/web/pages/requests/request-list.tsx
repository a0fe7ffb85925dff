/** The requests of this instance, newest first, as they end. Those of the console itself are left out unless asked for. */
import { useState } from 'preact/hooks'
import { ApiError } from '../../app/api.ts'
import { useList } from '../../app/list.ts'
import { useLiveHead } from '../../app/live-head.ts'
import { href, place, setQuery } from '../../app/location.ts'
import { Badge } from '../../parts/badge.tsx'
import { counted } from '../../parts/counted.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Choice, FilterBox } from '../../parts/filter-box.tsx'
import { KeptInput } from '../../parts/kept-input.tsx'
import { ListRows } from '../../parts/list-rows.tsx'
import { News } from '../../parts/news.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { requestHead } from './new-requests.ts'
import { FILTERS, type RequestFilter, type RequestRow, readRequests, shownInstance } from './requests-api.ts'

const HEAD = ['Time', 'Status', 'Request', 'Took', 'User', 'Caused']
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const STATUSES = ['2xx', '3xx', '4xx', '5xx']

export function RequestList() {
  const { query } = place.value
  const entries = FILTERS.map((name) => [name, query.get(name) ?? ''] as const)
  const filter: RequestFilter = Object.fromEntries(entries.filter(([, value]) => value !== ''))
  const all = query.get('all') !== null
  const paused = query.get('paused') !== null
  const asked: RequestFilter = all ? filter : { ...filter, own: 'false' }
  const question = JSON.stringify(asked)
  const [atHead, setAtHead] = useState(true)
  const list = useList(question, (cursor) => readRequests(asked, cursor), true)
  const off = list.error instanceof ApiError && list.error.code === 'SVC_OPS_REQUESTS_OFF'
  const live = useLiveHead(list, requestHead(asked), question, !paused, atHead)

  if (off) {
    return (
      <>
        <PageHead title="Requests" />
        <EmptyState title="Requests are not recorded here.">
          <p>
            In production they are off. Set <code>requests: {'{ enabled: true }'}</code> of svc-ops, with a{' '}
            <code>sample</code> where there are many.
          </p>
        </EmptyState>
      </>
    )
  }
  return (
    <>
      <PageHead title="Requests" note={shownInstance.value === null ? null : `of instance ${shownInstance.value}`}>
        <button type="button" aria-pressed={all} onClick={() => setQuery({ all: all ? null : '1' })}>
          With those of svc
        </button>
        <button type="button" aria-pressed={!paused} onClick={() => setQuery({ paused: paused ? null : '1' })}>
          {paused ? 'Paused' : 'Live'}
        </button>
      </PageHead>
      <label class="search">
        <span class="hidden">Search the requests</span>
        <KeptInput
          type="search"
          data-search
          placeholder="Search by URL, route, handler, user, address, error or id"
          maxLength={200}
          value={filter.q}
          onCommit={(q) => setQuery({ q })}
        />
      </label>
      <RequestFilters filter={filter} />
      <News live={live} one="request" many="requests" />
      <ListRows
        list={list}
        one="request"
        label="Requests"
        head={HEAD}
        columns="request-columns"
        keyOf={({ seq }) => String(seq)}
        cells={cells}
        onHead={setAtHead}
        empty={
          <EmptyState title="No request matches.">
            <p>
              The newest requests of this instance are kept, in memory; they appear here as they end
              {all ? '' : '. Those of svc itself are left out'}.
            </p>
          </EmptyState>
        }
      />
    </>
  )
}

function RequestFilters({ filter }: { readonly filter: RequestFilter }) {
  const text = (name: 'route' | 'user' | 'error' | 'zone', label: string) => (
    <label>
      {label}
      <KeptInput value={filter[name]} maxLength={1024} onCommit={(text) => setQuery({ [name]: text })} />
    </label>
  )
  return (
    <FilterBox count={Object.keys(filter).filter((name) => name !== 'q').length}>
      <Choice label="Method" value={filter.method} options={METHODS} onChange={(method) => setQuery({ method })} />
      <Choice label="Status" value={filter.status} options={STATUSES} onChange={(status) => setQuery({ status })} />
      {text('route', 'Route')}
      {text('user', 'User')}
      {text('error', 'Error code')}
      {text('zone', 'Zone')}
      <label>
        Slower than, ms
        <KeptInput
          inputMode="numeric"
          pattern="[0-9]*"
          value={filter.minMs}
          onCommit={(ms) => setQuery({ minMs: ms.replace(/\D/g, '') })}
        />
      </label>
    </FilterBox>
  )
}

export function StatusBadge({ status }: { readonly status: number }) {
  return <Badge tone={status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'}>{String(status)}</Badge>
}

function cells({ id, at, status, method, url, durationMs, user, statements, events, deliveries }: RequestRow) {
  const caused = [
    [statements, 'statement', 'statements'],
    [events, 'event', 'events'],
    [deliveries, 'delivery', 'deliveries']
  ] as const
  return [
    <Time key="time" at={at} />,
    <StatusBadge key="status" status={status} />,
    <a key="request" href={href(['requests', id])}>
      {method} {url}
    </a>,
    `${durationMs.toFixed(1)} ms`,
    user,
    caused.flatMap(([count, one, many]) => (count === 0 ? [] : [counted(count, one, many)])).join(', ')
  ]
}
