/** What waits for an endpoint: how much, when the next attempt is, and which messages come first. */
import { useAnswer } from '../../app/answer.ts'
import { useRenewal } from '../../app/renewal.ts'
import { counted } from '../../parts/counted.ts'
import { Time } from '../../parts/time.tsx'
import { readPending } from './webhooks-api.ts'

export function PendingDeliveries({ id }: { readonly id: string }) {
  const { value: pending, reload } = useAnswer(id, () => readPending(id))
  useRenewal(reload)
  if (pending === null) return null
  const { waiting, sending, nextAt, next } = pending
  if (waiting + sending === 0) return <p class="muted">Nothing waits for this endpoint.</p>
  return (
    <section class="card">
      <h2>Waiting</h2>
      <p>
        {counted(waiting, 'delivery waits', 'deliveries wait')}, {sending} on {sending === 1 ? 'its' : 'their'} way
        {nextAt !== null && (
          <>
            ; the next attempt is <Time at={nextAt} />
          </>
        )}
        .
      </p>
      {next.length > 0 && (
        <ul class="things">
          {next.map(({ eventId, type, attempts, dueAt }) => (
            <li key={eventId}>
              <code>{type}</code>
              <span class="muted">
                {attempts === 0 ? 'not tried yet' : `${counted(attempts, 'attempt')} failed`}
                {dueAt !== null && (
                  <>
                    , next <Time at={dueAt} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
