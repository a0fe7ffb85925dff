/** One job: its state and why, who caused it, what it works on; it is cancelled or tried again. */
import { useEffect } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { href } from '../../app/location.ts'
import { useRenewal } from '../../app/renewal.ts'
import { serves } from '../../app/settings.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { counted } from '../../parts/counted.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field, TextField } from '../../parts/fields.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { JobLink, JobState } from './job-state.tsx'
import { cancelJob, type Job, readJob, retryJob } from './jobs-api.ts'

const ASK_MS = 1000

/** What the API shows of a body that is for its work alone. */
const HIDDEN = '[redacted]'

export function JobPage({ id }: { readonly id: string }) {
  const { value: job, error, reload, set } = useAnswer(id, () => readJob(id))
  const action = useAction()
  useRenewal(reload)
  const isMoving = job !== null && (job.state === 'running' || (job.state === 'waiting' && job.dueAt <= Date.now()))
  useEffect(() => {
    if (!isMoving || error !== null) return
    const timer = setTimeout(reload, ASK_MS)
    return () => clearTimeout(timer)
  }, [job])
  const above = { title: 'Jobs', href: href(['jobs']) }
  if (job === null) {
    return (
      <>
        <PageHead title="Job" above={above} />
        {error === null && <p class="muted loading">Loading …</p>}
        <ErrorNotice error={error} onRetry={reload} />
      </>
    )
  }
  const change = (work: (id: string) => Promise<Job>, said: string, undo: (() => void) | null = null) =>
    void action.run(async () => {
      set(await work(id))
      toast(said, undo)
    })
  const retry = () => change(retryJob, 'It waits again, due at once.')
  return (
    <>
      <PageHead title={job.name} above={above}>
        {job.endedAt === null && (
          <button type="button" disabled={action.busy} onClick={() => change(cancelJob, 'Cancelled.', retry)}>
            Cancel
          </button>
        )}
        {job.endedAt !== null && job.state !== 'done' && (
          <button type="button" class="primary" disabled={action.busy} onClick={retry}>
            Retry
          </button>
        )}
      </PageHead>
      <ErrorNotice error={action.error ?? error} onRetry={action.error === null ? reload : undefined} />
      <Fields job={job} />
      <h2>Body</h2>
      {job.body === HIDDEN ? (
        <p class="muted">It is for the work of this kind of job alone, and not shown.</p>
      ) : (
        <pre>{JSON.stringify(job.body, null, 2)}</pre>
      )}
    </>
  )
}

function Fields({ job }: { readonly job: Job }) {
  const {
    id,
    state,
    lane,
    priority,
    attempts,
    interruptions,
    reason,
    addedAt,
    dueAt,
    startedAt,
    endedAt,
    cause,
    progress,
    batch
  } = job
  return (
    <dl class="fields">
      <Field name="State">
        <JobState state={state} />
      </Field>
      {progress !== null && (
        <Field name="Progress">
          <progress aria-label="Progress" max={1} value={progress.value} /> {progress.text}
        </Field>
      )}
      <TextField name="Reason" text={reason} />
      <Field name="Attempts">
        {attempts}
        {interruptions > 0 && `, and ${counted(interruptions, 'attempt')} that ended with the process`}
      </Field>
      <Field name="Lane">
        {lane}, priority {priority}
      </Field>
      <Field name="Added">
        <Time at={addedAt} whole />
      </Field>
      <Field name="Due">
        <Time at={dueAt} whole />
      </Field>
      <Field name="Started">
        <Time at={startedAt} whole={startedAt !== null} />
      </Field>
      <Field name="Ended">
        <Time at={endedAt} whole={endedAt !== null} />
      </Field>
      <Field name="Caused by">
        <Cause cause={cause} />
      </Field>
      {batch !== null && <TextField name="Batch" text={batch} />}
      <TextField name="Trace" text={traceOf(job.traceparent)} />
      <TextField name="Id" text={id} />
    </dl>
  )
}

function Cause({ cause }: Pick<Job, 'cause'>) {
  if (cause === null) return <span class="muted">the application</span>
  const { user, token, requestId, job } = cause
  return (
    <>
      {user === null || !serves('audit') ? (
        (user ?? 'nobody who is known')
      ) : (
        <a href={href(['audit'], { actor: user })}>{user}</a>
      )}
      {token !== null && <span class="muted"> by {token}</span>}
      {requestId !== null && (
        <>
          , request{' '}
          {serves('requests') ? <a href={href(['requests', requestId])}>{requestId}</a> : <code>{requestId}</code>}
        </>
      )}
      {job !== null && (
        <>
          , job <JobLink id={job}>{job}</JobLink>
        </>
      )}
    </>
  )
}

/** The id of the trace, of the text that W3C Trace Context gives. */
function traceOf(traceparent: string | null): string | null {
  return traceparent?.split('-')[1] ?? null
}
