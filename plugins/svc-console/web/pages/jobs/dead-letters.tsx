/** Jobs that failed for good or cannot run as things are: one, or all that are chosen, are tried again. */
import { useCallback, useState } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { useList } from '../../app/list.ts'
import { go, href, place, setQuery } from '../../app/location.ts'
import { useRenewal } from '../../app/renewal.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { toggled } from '../../parts/choices.tsx'
import { counted } from '../../parts/counted.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Choice } from '../../parts/filter-box.tsx'
import { ListRows } from '../../parts/list-rows.tsx'
import { KindChoice } from './job-list.tsx'
import { DEAD, JobLink, JobState, StateTime } from './job-state.tsx'
import { type ListedJob, readCounts, readJobs, redrive, retryJob } from './jobs-api.ts'
import { isSystem, SystemChoice } from './system-choice.tsx'

/** The kind of job that retries others. */
const REDRIVE = 'svc.redrive'

const HEAD = ['Chosen', 'Job', 'State', 'When', 'Attempts', 'Reason']

export function DeadLetters() {
  const { query } = place.value
  const [state, name] = [query.get('state'), query.get('name')]
  const system = isSystem()
  const key = `dead ${state} ${name} ${system}`
  const list = useList(key, (cursor) => readJobs(state === null ? DEAD : [state], name, system, cursor))
  const counts = useAnswer(`names ${system}`, () => readCounts(null, system))
  useRenewal(list.renew)
  const action = useAction()
  const [isAsking, setAsking] = useState(false)
  const [chosen, setChosen] = useState<readonly string[]>([])
  // What is no longer in the list is not retried unseen.
  const ids = chosen.filter((id) => list.rows.some((job) => job.id === id))
  const retry = async () => {
    const failures: unknown[] = []
    for (const id of ids) {
      try {
        await retryJob(id)
      } catch (error) {
        failures.push(error)
      }
    }
    setChosen([])
    list.reload()
    const done = ids.length - failures.length
    if (done > 0) toast(`${counted(done, 'job waits', 'jobs wait')} again.`)
    if (failures.length > 1) toast(`${failures.length} jobs were not retried.`)
    if (failures.length > 0) throw failures[0]
  }
  const retryAll = async () => {
    const states = state === null ? DEAD : [state]
    const added: string[] = []
    for (const each of states) added.push((await redrive(each, name)).id)
    const [only] = added
    go(only !== undefined && added.length === 1 ? href(['jobs', 'job', only]) : href(['jobs'], { name: REDRIVE }))
  }
  const shown = useCallback((job: ListedJob) => cells(job, chosen, setChosen), [chosen])
  return (
    <>
      <div class="filters job-filters">
        <Choice label="State" value={state ?? undefined} options={DEAD} onChange={(one) => setQuery({ state: one })} />
        <KindChoice name={name} names={counts.value?.names ?? []} />
        <SystemChoice />
        <button
          type="button"
          disabled={list.rows.length === 0}
          onClick={() => setChosen(ids.length === list.rows.length ? [] : list.rows.map(({ id }) => id))}
        >
          {ids.length > 0 && ids.length === list.rows.length ? 'Choose none' : 'Choose all shown'}
        </button>
        <button
          type="button"
          class="primary"
          disabled={action.busy || ids.length === 0}
          onClick={() => void action.run(retry)}
        >
          Retry the chosen ({ids.length})
        </button>
        <button
          type="button"
          // One that failed has its next slot: to retry them all is of no use.
          disabled={action.busy || system || list.rows.length === 0}
          onClick={() => setAsking(true)}
        >
          Retry all that match
        </button>
      </div>
      {isAsking && (
        <Confirm
          title="Retry all that match"
          action="Retry all"
          onClose={() => setAsking(false)}
          onConfirm={() => void action.run(retryAll)}
        >
          <p>
            A job retries every {state ?? 'failed or parked'} job{name !== null && ` of the kind ${name}`}, also those
            that are not shown.
          </p>
        </Confirm>
      )}
      <ErrorNotice error={action.error ?? counts.error} onRetry={action.error === null ? counts.reload : undefined} />
      <ListRows
        list={list}
        one="job"
        label="Jobs"
        head={HEAD}
        columns="dead-columns"
        keyOf={({ id }) => id}
        cells={shown}
        empty={
          <EmptyState title={name === null && state === null ? 'No job failed or is parked.' : 'No job matches.'} />
        }
      />
    </>
  )
}

function cells(job: ListedJob, chosen: readonly string[], choose: (ids: readonly string[]) => void) {
  const { id, name, state, attempts, reason } = job
  return [
    <input
      key="chosen"
      type="checkbox"
      aria-label={`Choose ${name} ${id}`}
      checked={chosen.includes(id)}
      onChange={() => choose(toggled(chosen, id))}
    />,
    <JobLink key="name" id={id}>
      {name}
    </JobLink>,
    <JobState key="state" state={state} />,
    <StateTime key="when" job={job} />,
    counted(attempts, 'attempt'),
    reason
  ]
}
