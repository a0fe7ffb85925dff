/** How the process fares: health, requests of the last hour, memory, queues, what is loaded; and the level of the log. */
import { useEffect } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { Badge } from '../../parts/badge.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field } from '../../parts/fields.tsx'
import { Figure, milliseconds } from '../../parts/figure.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { InstanceRows } from './instances.tsx'
import { LogLevel } from './log-level.tsx'
import { mebibytes, ProcessHistory } from './process-history.tsx'
import { RequestRates } from './request-rates.tsx'
import { readHistory, readInstances, readRates, readSystem, type System, type SystemSample } from './system-api.ts'

const ASK_MS = 5000

async function readAll() {
  const [system, rates, history] = await Promise.all([readSystem(), readRates(), readHistory()])
  // Without its database, an instance tells of itself as before.
  const instances = system.instance === null ? null : await readInstances().catch((error: unknown) => ({ error }))
  return { system, rates, history, instances }
}

export default function SystemPage() {
  const { value, error, reload, set } = useAnswer('system', readAll)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload()
    }, ASK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <PageHead
        title="System"
        note={value?.system.instance == null ? null : `of instance ${value.system.instance.name}`}
      />
      <ErrorNotice error={error} onRetry={reload} />
      {value !== null && (
        <>
          {value.system.instance !== null && value.instances !== null && (
            <InstanceRows instances={value.instances} shown={value.system.instance.id} />
          )}
          <RequestRates rates={value.rates} />
          <State system={value.system} history={value.history} />
          <LogLevel
            level={value.system.logLevel}
            onChange={(logLevel) => set({ ...value, system: { ...value.system, logLevel } })}
          />
          <Modules system={value.system} />
        </>
      )}
    </>
  )
}

const megabytes = (bytes: number) => mebibytes(bytes / 1_048_576)

interface StateProps {
  readonly system: System
  readonly history: readonly SystemSample[]
}

function State({ system, history }: StateProps) {
  const { memory, eventLoop, health, queues, versions } = system
  return (
    <>
      <section class="card">
        <h2>The process, within the last hour</h2>
        <dl class="figures">
          <Figure name="Event loop, median" value={milliseconds(eventLoop.p50Ms)} />
          <Figure name="99th percentile" value={milliseconds(eventLoop.p99Ms)} />
          <Figure name="Busy" value={`${(eventLoop.utilization * 100).toFixed(0)} %`} />
          <Figure name="Heap" value={`${megabytes(memory.heapUsed)} of ${megabytes(memory.heapTotal)}`} />
          <Figure name="Resident" value={megabytes(memory.rss)} />
          {queues.map(({ name, depth }) => (
            <Figure key={name} name={`Queue ${name}`} value={String(depth)} />
          ))}
        </dl>
        <ProcessHistory samples={history} />
      </section>
      <dl class="fields">
        <Field name="Health">
          {health.length === 0 && <span class="muted">nothing to check</span>}
          {health.map(({ name, healthy, degraded }) => (
            <span class="check" key={name}>
              <Badge tone={degraded ? 'warn' : healthy ? 'good' : 'bad'}>{name}</Badge>{' '}
            </span>
          ))}
        </Field>
        <Field name="Application">
          {system.name}, {system.mode}
        </Field>
        <Field name="Started">
          <Time at={system.startedAt} whole /> <span class="muted">process {system.pid}</span>
        </Field>
        <Field name="Versions">
          Node {versions.node}, Fastify {versions.fastify}
        </Field>
      </dl>
    </>
  )
}

function Modules({ system: { modules } }: { readonly system: System }) {
  if (modules.length === 0) return null
  return (
    <section>
      <h2>Modules</h2>
      {modules.map(({ name, version, options }) => (
        <details class="card" key={name}>
          <summary>
            {name} <span class="muted">{version}</span>
          </summary>
          <pre>{JSON.stringify(options, null, 2)}</pre>
        </details>
      ))}
    </section>
  )
}
