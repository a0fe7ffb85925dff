/** The databases: health, pool, times, the last slow operations, and how the schema stands beside the entities. */
import { useEffect } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { href } from '../../app/location.ts'
import { Badge } from '../../parts/badge.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field } from '../../parts/fields.tsx'
import { Figure, milliseconds } from '../../parts/figure.tsx'
import { Time } from '../../parts/time.tsx'
import {
  type Connector,
  type ConnectorFlow,
  type ConnectorHealth,
  type Flow,
  readFlow,
  readGraph,
  readHealth,
  readSchema
} from './data-api.ts'
import { SchemaState } from './schema-state.tsx'

const ASK_MS = 5000

async function readAll() {
  const [{ orms }, health, flow] = await Promise.all([readGraph(), readHealth(), readFlow()])
  return { orms, health, flow }
}

export function Connectors() {
  const { value, error, reload } = useAnswer('connectors', readAll)
  // A look at each database: once, and when it is asked for.
  const schema = useAnswer('schema', readSchema)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload()
    }, ASK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <ErrorNotice error={error} onRetry={reload} />
      <ErrorNotice error={schema.error} onRetry={schema.reload} />
      {value?.orms.length === 0 && (
        <EmptyState title="No database is connected.">
          <p>
            Add one with <code>npx svc module:add sql</code>, then start the application again.
          </p>
        </EmptyState>
      )}
      {value?.orms.map((connector) => (
        <section class="card" key={connector.name}>
          <ConnectorView
            connector={connector}
            health={value.health.find(({ name }) => name === connector.name)}
            flow={value.flow}
          />
          <SchemaState
            schema={schema.value?.find((each) => each.connector === connector.name) ?? null}
            onLookAgain={schema.reload}
          />
        </section>
      ))}
    </>
  )
}

interface ConnectorViewProps {
  readonly connector: Connector
  readonly health: ConnectorHealth | undefined
  readonly flow: Flow
}

function ConnectorView({ connector, health, flow }: ConnectorViewProps) {
  const { name, vendor, connection, entityCount } = connector
  const operations = flow.connectors.find((each) => each.connector === name)
  return (
    <>
      <h2>
        {name} {health !== undefined && <HealthBadge health={health} />}{' '}
        {connector.default && <span class="muted">default</span>}
      </h2>
      <dl class="figures">
        <Figure name="Answers in" value={milliseconds(health?.pingMs ?? null)} />
        <Figure name="Operation, average" value={milliseconds(health?.latency.avg ?? null)} />
        <Figure name="Slowest" value={milliseconds(health?.latency.max ?? null)} />
        <Figure name="Operations" value={(operations?.total ?? 0).toLocaleString()} />
        <Figure name="Slow" value={(operations?.slowTotal ?? 0).toLocaleString()} />
        {health?.pool != null && (
          <>
            <Figure name="Pool" value={`${health.pool.size - health.pool.idle} of ${health.pool.size} busy`} />
            <Figure name="Waiting" value={String(health.pool.waiting)} />
          </>
        )}
      </dl>
      <dl class="fields">
        <Field name="Database">
          {vendor} {connection.version} <span class="muted">by {connection.driver}</span>
        </Field>
        <Field name="Target">
          <code>{connection.target}</code>
        </Field>
        <Field name="Entities">{entityCount}</Field>
        {health !== undefined && (
          <Field name="Connected">
            <Time at={health.connectedSince} whole />{' '}
            <span class="muted">
              {health.reconnectCount} times again, {health.errorCount} errors
            </span>
          </Field>
        )}
        {health?.lastError != null && <Field name="Last error">{health.lastError}</Field>}
        {health?.replicas?.map((replica) => (
          <Field name="Replica" key={replica.target}>
            <ReplicaState replica={replica} />
          </Field>
        ))}
      </dl>
      {operations !== undefined && operations.slow.length > 0 && <Slow flow={operations} slowMs={flow.slowMs} />}
    </>
  )
}

type Replica = NonNullable<ConnectorHealth['replicas']>[number]

function ReplicaState({ replica: { target, reading, reason, lagMs } }: { readonly replica: Replica }) {
  return (
    <>
      {reading ? <Badge tone="good">reads</Badge> : <Badge tone="warn">{`no reads: ${reason}`}</Badge>}{' '}
      <code>{target}</code>{' '}
      <span class="muted">{lagMs === null ? 'its lag is not known' : `${milliseconds(lagMs)} behind`}</span>
    </>
  )
}

function HealthBadge({ health }: { readonly health: ConnectorHealth }) {
  return health.connected ? <Badge tone="good">connected</Badge> : <Badge tone="bad">not connected</Badge>
}

function Slow({ flow: { connector, slow }, slowMs }: { readonly flow: ConnectorFlow; readonly slowMs: number }) {
  return (
    <details>
      <summary>
        The last {slow.length} operations that took {slowMs} ms or longer
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Entity</th>
            <th scope="col">Operation</th>
            <th scope="col">Took</th>
          </tr>
        </thead>
        <tbody>
          {slow.map(({ entity, operation, ms, ts, statement }, index) => (
            <tr key={`${ts} ${index}`}>
              <td>
                <Time at={ts} />
              </td>
              <td>
                <a href={href(['data', 'entities', connector, entity])}>{entity}</a>
              </td>
              <td>
                {operation}
                {statement !== undefined && <code class="statement">{statement}</code>}
              </td>
              <td>{milliseconds(ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
