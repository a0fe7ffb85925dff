/** The jobs, newest first, by state and kind, with how many there are. */
import { useAnswer } from '../../app/answer.ts'
import { useList } from '../../app/list.ts'
import { href, place, setQuery } from '../../app/location.ts'
import { useRenewal } from '../../app/renewal.ts'
import { counted } from '../../parts/counted.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Choice } from '../../parts/filter-box.tsx'
import { ListRows } from '../../parts/list-rows.tsx'
import { Time } from '../../parts/time.tsx'
import { JOB_STATES, JobLink, JobState, StateTime } from './job-state.tsx'
import { type Counts, type ListedJob, readCounts, readJobs } from './jobs-api.ts'
import { isSystem, SystemChoice } from './system-choice.tsx'

const HEAD = ['Job', 'State', 'When', 'Attempts', 'Lane', 'Reason']

export function JobList() {
  const { query } = place.value
  const [state, name] = [query.get('state'), query.get('name')]
  const system = isSystem()
  const key = `${state} ${name} ${system}`
  const list = useList(key, (cursor) => readJobs(state === null ? [] : [state], name, system, cursor))
  const counts = useAnswer(key, () => readCounts(name, system))
  useRenewal(() => {
    list.renew()
    counts.reload()
  })
  const states = counts.value?.states
  return (
    <>
      <div class="filters job-filters">
        <KindChoice name={name} names={counts.value?.names ?? []} />
        <SystemChoice />
        {/* Has its place before it is known, so that the list does not move. */}
        <p class="muted">{counts.value === null ? '–' : <Waiting since={counts.value.waitingSince} />}</p>
      </div>
      <fieldset class="states">
        <legend class="hidden">State</legend>
        {[null, ...new Set([...JOB_STATES, ...Object.keys(states ?? {})])].map((each) => (
          <button type="button" key={each} aria-pressed={state === each} onClick={() => setQuery({ state: each })}>
            {`${each ?? 'all'} (${countText(counts.value, each)})`}
          </button>
        ))}
      </fieldset>
      <ErrorNotice error={counts.error} onRetry={counts.reload} />
      <ListRows
        list={list}
        one="job"
        label="Jobs"
        head={HEAD}
        columns="job-columns"
        keyOf={({ id }) => id}
        cells={cells}
        empty={<Nothing filtered={state !== null || name !== null || system} />}
      />
    </>
  )
}

/** @param state `null`: all */
function countText(counts: Counts | null, state: string | null): string {
  if (counts === null) return '–'
  const counted = state === null ? Object.values(counts.states) : [counts.states[state] ?? 0]
  const sum = counted.reduce((total, count) => total + count, 0)
  return sum.toLocaleString() + (counted.includes(counts.most) ? '+' : '')
}

export function KindChoice({ name, names }: { readonly name: string | null; readonly names: readonly string[] }) {
  return (
    <Choice label="Kind" value={name ?? undefined} options={names} onChange={(chosen) => setQuery({ name: chosen })} />
  )
}

function Waiting({ since }: { readonly since: number | null }) {
  if (since === null) return <>No job that is due waits.</>
  return (
    <>
      The first job that waits was due <Time at={since} />.
    </>
  )
}

function cells(job: ListedJob) {
  const { id, name, state, attempts, lane, reason } = job
  return [
    <JobLink key="name" id={id}>
      {name}
    </JobLink>,
    <JobState key="state" state={state} />,
    <StateTime key="when" job={job} />,
    attempts === 0 ? '' : counted(attempts, 'attempt'),
    lane,
    reason
  ]
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState title="No job matches.">
        <a href={href(['jobs'])}>Show all</a>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="There is no job yet.">
      <p>
        A job is work that <code>fastify.jobs.add</code> stores, and that runs after the request.
      </p>
    </EmptyState>
  )
}
