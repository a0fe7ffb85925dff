/** Sends again what an endpoint missed in a range of time, and shows how far that is. Its job is in the address. */
import { useEffect, useState } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { place, setQuery } from '../../app/location.ts'
import { useAction } from '../../parts/action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Choice } from '../../parts/filter-box.tsx'
import { TimeField } from '../../parts/time-field.tsx'
import { beginRecovery, cancelRecovery, type Recovery, readRecovery } from './webhooks-api.ts'

const DAY_MS = 86_400_000
const ASK_MS = 500

export function RecoveryForm({ id }: { readonly id: string }) {
  const [since, setSince] = useState<string | null>(String(Date.now() - DAY_MS))
  const [until, setUntil] = useState<string | null>(null)
  const [status, setStatus] = useState<string | null>(null)
  const action = useAction()
  const job = place.value.query.get('job')
  const begin = async () => {
    const range = {
      since: Number(since),
      ...(until === null ? {} : { until: Number(until) }),
      ...(status === null || status === '' ? {} : { status })
    }
    setQuery({ job: (await beginRecovery(id, range)).id })
  }
  return (
    <>
      <p>Events of the journal that the endpoint subscribes to, and that did not reach it, are sent again.</p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          void action.run(begin)
        }}
      >
        <TimeField label="From" value={since ?? undefined} onChange={setSince} />
        <TimeField label="To" value={until ?? undefined} onChange={setUntil} />
        <Choice label="Only" value={status ?? undefined} options={['failed', 'missing']} onChange={setStatus} />
        <button type="submit" class="primary" disabled={action.busy || since === null}>
          Recover
        </button>
      </form>
      <ErrorNotice error={action.error} />
      {job !== null && <Progress key={job} id={id} job={job} />}
    </>
  )
}

const WORDS: Readonly<Record<Recovery['state'], string>> = {
  reading: 'Reading the journal …',
  sending: 'Sending …',
  done: 'Done.',
  failed: 'It failed.',
  cancelled: 'Cancelled.'
}

function Progress({ id, job }: { readonly id: string; readonly job: string }) {
  const { value, error, reload, set } = useAnswer(job, () => readRecovery(id, job))
  const action = useAction()
  const active = value?.state === 'reading' || value?.state === 'sending'
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(reload, ASK_MS)
    return () => clearTimeout(timer)
  }, [value])
  if (value === null) return <ErrorNotice error={error} onRetry={reload} />
  const { state, total, done, failed } = value
  return (
    <section class="card" aria-live="polite">
      <h2>{WORDS[state]}</h2>
      <progress aria-label="Sent" max={Math.max(total, 1)} value={state === 'done' && total === 0 ? 1 : done} />
      <p>
        {total === 0 && state === 'done' ? 'Nothing was missed.' : `${done} of ${total} sent, ${failed} failed.`}{' '}
        {value.error !== null && <code>{value.error}</code>}
      </p>
      <ErrorNotice error={error ?? action.error} onRetry={reload} />
      {active && (
        <button
          type="button"
          disabled={action.busy}
          onClick={() => void action.run(async () => set(await cancelRecovery(id, job)))}
        >
          Cancel
        </button>
      )}
    </section>
  )
}
