/** The schedules: when each is due next, and what became of its last job; run now, paused and resumed. */
import type { ComponentChildren } from 'preact'
import { useAnswer } from '../../app/answer.ts'
import { useRenewal } from '../../app/renewal.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Badge } from '../../parts/badge.tsx'
import { counted } from '../../parts/counted.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field } from '../../parts/fields.tsx'
import { localTime, Time } from '../../parts/time.tsx'
import { JobLink, JobState } from './job-state.tsx'
import { pauseSchedule, readSchedules, runSchedule, type Schedule } from './jobs-api.ts'
import { isSystem, SystemChoice } from './system-choice.tsx'

export function Schedules() {
  const system = isSystem()
  const { value, error, reload } = useAnswer(`schedules ${system}`, () => readSchedules(system))
  useRenewal(reload)
  return (
    <>
      <div class="filters job-filters">
        <SystemChoice />
      </div>
      <ErrorNotice error={error} onRetry={reload} />
      {value === null && error === null && <p class="muted loading">Loading …</p>}
      {value?.length === 0 && (
        <EmptyState title="No schedule is declared.">
          <p>
            Declare one with <code>fastify.jobs.schedule</code>.
          </p>
        </EmptyState>
      )}
      <div class="schedules">
        {value?.map((schedule) => (
          <ScheduleCard key={schedule.name} schedule={schedule} onChange={reload} />
        ))}
      </div>
    </>
  )
}

interface ScheduleCardProps {
  readonly schedule: Schedule
  readonly onChange: () => void
}

function ScheduleCard({ schedule, onChange }: ScheduleCardProps) {
  const { name, cron, zone, paused, declared, job, catchUp, overlap, lastSkipped, waiting } = schedule
  const action = useAction()
  const pause = async (wanted: boolean) => {
    await pauseSchedule(name, wanted)
    onChange()
    const said = wanted ? `${name} is paused: its slots get no job.` : `${name} is resumed.`
    toast(said, () => void action.run(() => pause(!wanted)))
  }
  const run = async () => {
    await runSchedule(name)
    onChange()
    toast(`The job of ${name} waits, due at once.`)
  }
  return (
    <section class="card" aria-label={name}>
      <h2>
        {name} {paused && <Badge tone="warn">paused</Badge>} {!declared && <Badge tone="plain">not declared</Badge>}
      </h2>
      <ErrorNotice error={action.error} />
      <dl class="fields">
        <Field name="Due">
          <code>{cron}</code> {zone}
        </Field>
        <Field name="Next">
          <NextSlots schedule={schedule} />
        </Field>
        <Field name="Last slot">
          <Time at={schedule.lastSlot} whole={schedule.lastSlot !== null} />
        </Field>
        <Field name="Last job">
          <LastJob job={schedule.lastJob} />
        </Field>
        {lastSkipped !== null && (
          <Field name="Last slot without a job">
            <Time at={lastSkipped} whole />
          </Field>
        )}
        {waiting > 0 && <Field name="Waiting">{counted(waiting, 'slot')}</Field>}
        {job !== null && (
          <Field name="Rules">
            job <code>{job}</code>, missed slots: {catchUp}, overlap: {overlap}
          </Field>
        )}
      </dl>
      <div class="buttons">
        <Change name={name} disabled={action.busy || !declared} onClick={() => void action.run(run)}>
          Run now
        </Change>
        <Change name={name} disabled={action.busy} onClick={() => void action.run(() => pause(!paused))}>
          {paused ? 'Resume' : 'Pause'}
        </Change>
      </div>
    </section>
  )
}

interface ChangeProps {
  readonly name: string
  readonly disabled: boolean
  readonly onClick: () => void
  readonly children: ComponentChildren
}

/** Says which schedule it changes to who does not see where it is. */
function Change({ name, disabled, onClick, children }: ChangeProps) {
  return (
    <button type="button" disabled={disabled} onClick={onClick}>
      {children}
      <span class="hidden"> {name}</span>
    </button>
  )
}

function NextSlots({ schedule: { next, zone, paused } }: { readonly schedule: Schedule }) {
  if (next.length === 0) return <span class="muted">{paused ? 'none while it is paused' : 'none'}</span>
  return (
    <ul class="slots">
      {next.map((slot) => (
        <li key={slot}>
          {timeIn(zone, slot)} <span class="muted">(</span>
          <Time at={slot} />
          <span class="muted">)</span>
        </li>
      ))}
    </ul>
  )
}

function LastJob({ job }: { readonly job: Schedule['lastJob'] }) {
  if (job === null) return <span class="muted">none</span>
  return (
    <>
      <JobState state={job.state} /> <JobLink id={job.id}>{job.id}</JobLink>
    </>
  )
}

/** In the zone of the schedule; a browser that does not know it shows its own. */
function timeIn(zone: string, slot: number): string {
  try {
    return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(slot)
  } catch {
    return localTime(slot)
  }
}
