/** What was sent to an endpoint, newest first. */
import { useCallback } from 'preact/hooks'
import { useList } from '../../app/list.ts'
import { href, place, setQuery } from '../../app/location.ts'
import { useRenewal } from '../../app/renewal.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Choice, FilterBox } from '../../parts/filter-box.tsx'
import { KeptInput } from '../../parts/kept-input.tsx'
import { ListRows } from '../../parts/list-rows.tsx'
import { Time } from '../../parts/time.tsx'
import { TimeField } from '../../parts/time-field.tsx'
import { DeliveryBadge } from './delivery-outcome.tsx'
import { type Delivery, readDeliveries } from './webhooks-api.ts'

const HEAD = ['Time', 'Outcome', 'Event', 'Status', 'Attempt', 'Took', 'Error']
const OUTCOMES = ['delivered', 'failed', 'exhausted', 'abandoned', 'retried']
const FILTERS = ['outcome', 'status', 'event', 'since', 'until'] as const

export function DeliveryList({ id }: { readonly id: string }) {
  const { query } = place.value
  const filter: Partial<Record<(typeof FILTERS)[number], string>> = Object.fromEntries(
    FILTERS.map((name) => [name, query.get(name) ?? '']).filter(([, value]) => value !== '')
  )
  const list = useList(`${id} ${JSON.stringify(filter)}`, (cursor) =>
    readDeliveries(id, filter as Record<string, string>, cursor)
  )
  useRenewal(list.renew)
  const count = Object.keys(filter).length
  const shown = useCallback((delivery: Delivery) => cells(id, delivery), [id])
  return (
    <>
      <FilterBox count={count}>
        <Choice
          label="Outcome"
          value={filter.outcome}
          options={OUTCOMES}
          onChange={(outcome) => setQuery({ outcome })}
        />
        <label>
          Status
          <KeptInput
            inputMode="numeric"
            pattern="[1-9][0-9]{2}"
            maxLength={3}
            value={filter.status}
            onCommit={(status) => setQuery({ status })}
          />
        </label>
        <label>
          Event
          <KeptInput maxLength={200} value={filter.event} onCommit={(event) => setQuery({ event })} />
        </label>
        <TimeField label="From" value={filter.since} onChange={(since) => setQuery({ since })} />
        <TimeField label="To" value={filter.until} onChange={(until) => setQuery({ until })} />
        <button type="button" onClick={list.reload}>
          Look again
        </button>
      </FilterBox>
      <ListRows
        list={list}
        one="delivery"
        label="Deliveries"
        head={HEAD}
        columns="delivery-columns"
        keyOf={({ messageId, attempt, ts }) => `${messageId} ${attempt} ${ts}`}
        cells={shown}
        empty={
          <EmptyState title={count > 0 ? 'No delivery matches.' : 'Nothing has been sent yet.'}>
            <p>Send a test, or wait for an event that the endpoint subscribes to.</p>
          </EmptyState>
        }
      />
    </>
  )
}

function cells(id: string, { ts, outcome, type, status, attempt, durationMs, error, messageId }: Delivery) {
  return [
    <Time key="time" at={ts} />,
    <DeliveryBadge key="outcome" outcome={outcome} />,
    <a key="event" href={href(['webhooks', id, 'deliveries', messageId])}>
      {type}
    </a>,
    status,
    attempt,
    `${durationMs} ms`,
    error
  ]
}
