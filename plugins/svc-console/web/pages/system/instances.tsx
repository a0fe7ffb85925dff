/** The instances of the application, a row each: who lives, who is silent, and how each one fares. */
import { Badge, type Tone } from '../../parts/badge.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { milliseconds } from '../../parts/figure.tsx'
import { Time } from '../../parts/time.tsx'
import { mebibytes } from './process-history.tsx'
import type { Instances } from './system-api.ts'

type Instance = Instances['instances'][number]

const TONES: Readonly<Record<string, Tone>> = { serving: 'good', leaving: 'warn', silent: 'bad' }

interface InstanceRowsProps {
  readonly instances: Instances | { readonly error: unknown }
  /** Id of the instance that the rest of the page is about. */
  readonly shown: string
}

export function InstanceRows({ instances, shown }: InstanceRowsProps) {
  return (
    <section class="card">
      <h2>Instances</h2>
      {'error' in instances ? <ErrorNotice error={instances.error} /> : <InstanceTable of={instances} shown={shown} />}
    </section>
  )
}

function InstanceTable({ of: { shared, instances }, shown }: { readonly of: Instances; readonly shown: string }) {
  return (
    <>
      {!shared && <p class="muted">Instances cannot find each other without a database, so only this one is listed.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Instances">
        <table>
          <thead>
            <tr>
              <th scope="col">Instance</th>
              <th scope="col">State</th>
              <th scope="col">Started</th>
              <th scope="col">Requests, 5 min</th>
              <th scope="col">Failed</th>
              <th scope="col">95th percentile</th>
              <th scope="col">Busy</th>
              <th scope="col">Memory</th>
              <th scope="col">Waiting</th>
            </tr>
          </thead>
          <tbody>
            {instances.map((instance) => (
              <Row key={instance.id} instance={instance} shown={instance.id === shown} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function Row({ instance, shown }: { readonly instance: Instance; readonly shown: boolean }) {
  const { name, pid, state, startedAt, silentMs, clockOffMs, figures } = instance
  return (
    <tr>
      <th scope="row">
        {name} <span class="muted">process {pid}</span> {shown && <Badge tone="plain">shown here</Badge>}
        {clockOffMs !== 0 && <Badge tone="warn">{`clock ${offset(clockOffMs)}`}</Badge>}
      </th>
      <td>
        <Badge tone={TONES[state] ?? 'plain'}>{state}</Badge>
        {state === 'silent' && <span class="muted"> for {Math.round(silentMs / 1000)} s</span>}
      </td>
      <td>
        <Time at={startedAt} />
      </td>
      <td>{figures.requests}</td>
      <td>{figures.failures}</td>
      <td>{milliseconds(figures.p95Ms)}</td>
      <td>{(figures.busy * 100).toFixed(0)} %</td>
      <td>{mebibytes(figures.rss / 1_048_576)}</td>
      <td>{figures.waiting}</td>
    </tr>
  )
}

/** @param ms ahead of the clock of the instance that answers; behind it where it is less than 0 */
function offset(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000)
  return `${seconds} s ${ms > 0 ? 'ahead' : 'behind'}`
}
