/** One message: each attempt to deliver it, what was sent, and what came back. */
import { useAnswer } from '../../app/answer.ts'
import { href } from '../../app/location.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { DeliveryBadge, outcomeOf } from './delivery-outcome.tsx'
import { allDeliveries, resend } from './webhooks-api.ts'

export function DeliveryPage({ id, messageId }: { readonly id: string; readonly messageId: string }) {
  const read = () => allDeliveries(id, { messageId })
  const { value: attempts, error, reload } = useAnswer(messageId, read)
  const action = useAction()
  const again = async () => {
    const last = attempts?.[0]?.ts ?? 0
    await resend(id, messageId)
    toast('The message is on its way again, under the same id.')
    toast(await outcomeOf(id, messageId, last))
    reload()
  }
  const newest = attempts?.[0]
  return (
    <>
      <PageHead
        title={newest?.type ?? 'Delivery'}
        above={{ title: 'Deliveries', href: href(['webhooks', id, 'deliveries']) }}
      >
        <button
          type="button"
          class="primary"
          disabled={action.busy || newest === undefined}
          onClick={() => void action.run(again)}
        >
          Send again
        </button>
      </PageHead>
      <p>
        <code>{messageId}</code> <CopyButton text={messageId} label="Copy the message id" />
      </p>
      <ErrorNotice error={error ?? action.error} onRetry={reload} />
      {attempts === null && error === null && <p class="muted">Loading …</p>}
      {attempts?.length === 0 && (
        <EmptyState title="The history does not have this message any more.">
          <p>Recover sends again what an endpoint missed, from the journal.</p>
        </EmptyState>
      )}
      {attempts?.map(({ ts, attempt, outcome, status, durationMs, error: word, responseBody }) => (
        <section key={`${ts} ${attempt}`} class="card">
          <h2>
            Attempt {attempt} <DeliveryBadge outcome={outcome} />
          </h2>
          <p>
            <Time at={ts} whole />: {status ?? 'no answer'} after {durationMs} ms {word !== null && <code>{word}</code>}
          </p>
          {responseBody !== null && responseBody !== '' && (
            <>
              <h3>What came back</h3>
              <pre>{responseBody}</pre>
            </>
          )}
        </section>
      ))}
      {newest !== undefined && (
        <>
          <h2>What was sent</h2>
          <pre>{readable(newest.requestBody)}</pre>
          <CopyButton text={newest.requestBody} label="Copy what was sent" />
        </>
      )}
    </>
  )
}

/** Indented where it is JSON; a long body was cut and is none. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
