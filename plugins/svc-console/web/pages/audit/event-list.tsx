/** The journal, newest first, as it happens. */
import { useState } from 'preact/hooks'
import { useList } from '../../app/list.ts'
import { type LiveHead, useLiveHead } from '../../app/live-head.ts'
import { href, place, setQuery } from '../../app/location.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { KeptInput } from '../../parts/kept-input.tsx'
import { ListRows } from '../../parts/list-rows.tsx'
import { News } from '../../parts/news.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { type AuditEvent, exportAddress, readEvents } from './audit-api.ts'
import { currentFilter, EventFilters } from './event-filters.tsx'
import { OutcomeBadge } from './event-page.tsx'
import { eventHead } from './live-events.ts'

const HEAD = ['Time', 'Outcome', 'Action', 'Actor', 'Resource', 'Address']

export function EventList() {
  const filter = currentFilter()
  const paused = place.value.query.get('paused') !== null
  const [atHead, setAtHead] = useState(true)
  const question = JSON.stringify(filter)
  const list = useList(question, (cursor) => readEvents(filter, cursor), true)
  const live = useLiveHead(list, eventHead(filter), question, !paused && filter.until === undefined, atHead)
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
        <span class="hidden">Search the journal</span>
        <KeptInput
          type="search"
          data-search
          placeholder="Search by actor, action, resource, reason, address or id"
          maxLength={200}
          value={filter.q}
          onCommit={(q) => setQuery({ q })}
        />
      </label>
      <EventFilters />
      <News live={live} one="event" many="events" />
      <ListRows
        list={list}
        one="event"
        label="Events"
        head={HEAD}
        columns="audit-columns"
        keyOf={keyOf}
        cells={cells}
        onHead={setAtHead}
        empty={<Nothing filtered={Object.keys(filter).length > 0} />}
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

const MARKS: Readonly<Record<LiveHead['how'], string>> = { live: 'Live', behind: 'Catching up', polling: 'Every 5 s' }

function LiveMark({ paused, how }: { readonly paused: boolean; readonly how: LiveHead['how'] }) {
  if (paused) return <>Paused</>
  return (
    <>
      <span class={`dot ${how}`} aria-hidden="true" /> {MARKS[how]}
    </>
  )
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState title="No event matches.">
        <p>Remove a filter, or look further back: events older than the retention of svc-audit are deleted.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="Nothing has been recorded yet.">
      <p>Logins, refusals and changes appear here as they happen.</p>
    </EmptyState>
  )
}
