/** The journal, newest first, as it happens. */
import { useState } from 'preact/hooks'
import { useList } from '../../app/list.ts'
import { href, place, setQuery } from '../../app/location.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListRows } from '../../parts/list-rows.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { type AuditEvent, exportAddress, readEvents, search } from './audit-api.ts'
import { currentFilter, EventFilters } from './event-filters.tsx'
import { OutcomeBadge } from './event-page.tsx'
import { useLiveEvents } from './live-events.ts'

const HEAD = ['Time', 'Outcome', 'Action', 'Actor', 'Resource', 'Address']

export function EventList() {
  const filter = currentFilter()
  const words = place.value.query.get('q') ?? ''
  const paused = place.value.query.get('paused') !== null
  const [atHead, setAtHead] = useState(true)
  const list = useList(JSON.stringify(filter), (cursor) => readEvents(filter, cursor))
  const live = useLiveEvents(list, filter, !paused && filter.until === undefined, atHead)
  const rows = search(list.rows, words)
  return (
    <>
      <PageHead title="Audit">
        <button type="button" aria-pressed={!paused} onClick={() => setQuery({ paused: paused ? null : '1' })}>
          <LiveMark paused={paused} how={live.how} />
        </button>
        <a class="button" href={exportAddress(filter)} download="audit-events.ndjson">
          Export NDJSON
        </a>
      </PageHead>
      <label class="search">
        <span class="hidden">Search the events that are loaded</span>
        <input
          type="search"
          data-search
          placeholder="Search the events that are loaded"
          value={words}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
      </label>
      <EventFilters />
      {live.waiting > 0 && (
        <button type="button" class="primary news" onClick={live.show}>
          {live.waiting} new {live.waiting === 1 ? 'event' : 'events'}
        </button>
      )}
      <ListRows
        list={list}
        rows={rows}
        label="Events"
        head={HEAD}
        columns="audit-columns"
        keyOf={keyOf}
        cells={cells}
        onHead={setAtHead}
        empty={<Nothing filtered={Object.keys(filter).length > 0 || words !== ''} />}
      />
    </>
  )
}

const keyOf = ({ id }: AuditEvent) => id

function cells({ id, ts, outcome, action, actor, resource, ip }: AuditEvent) {
  return [
    <Time key="time" at={ts} />,
    <OutcomeBadge key="outcome" outcome={outcome} />,
    <a key="action" href={href(['audit', id])}>
      {action}
    </a>,
    actor,
    resource,
    ip
  ]
}

function LiveMark({ paused, how }: { readonly paused: boolean; readonly how: 'live' | 'polling' }) {
  if (paused) return <>Paused</>
  return (
    <>
      <span class={`dot ${how}`} aria-hidden="true" /> {how === 'live' ? 'Live' : 'Every 5 s'}
    </>
  )
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState title="No event is like that.">
        <p>Take a filter away, or look further back: older events end with the retention of svc-audit.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="Nothing has been recorded yet.">
      <p>Logins, refusals and changes appear here as they happen.</p>
    </EmptyState>
  )
}
