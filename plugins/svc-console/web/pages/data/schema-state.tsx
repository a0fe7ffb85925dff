/** How a database stands beside the entities: migrations that have not run, changes without one, differences. */
import { Badge } from '../../parts/badge.tsx'
import { Time } from '../../parts/time.tsx'
import type { Schema } from './data-api.ts'

interface SchemaStateProps {
  /** `null` until it is there. */
  readonly schema: Schema | null
  readonly onLookAgain: () => void
}

export function SchemaState({ schema, onLookAgain }: SchemaStateProps) {
  return (
    <>
      <h3>Schema {schema !== null && <StateBadge schema={schema} />}</h3>
      {schema !== null && <Found schema={schema} />}
      {schema?.state !== 'none' && (
        <div class="buttons">
          <button type="button" onClick={onLookAgain}>
            Look again
          </button>
        </div>
      )}
    </>
  )
}

const pendingOf = ({ migrations }: Schema) => migrations.filter(({ executedAt }) => executedAt === null)

function StateBadge({ schema }: { readonly schema: Schema }) {
  const { state, unwritten, problems } = schema
  if (state === 'none') return <Badge tone="plain">none is kept</Badge>
  if (state === 'unreachable') return <Badge tone="bad">unreachable: state unknown</Badge>
  if (state === 'unknown') return <Badge tone="warn">unknown: it could not be told</Badge>
  const pending = pendingOf(schema).length
  const open = [
    pending > 0 && `${pending} pending`,
    unwritten.length > 0 && `${unwritten.length} without a migration`,
    problems.length > 0 && `${problems.length} differences`
  ].filter((part) => part !== false)
  return open.length === 0 ? <Badge tone="good">as declared</Badge> : <Badge tone="warn">{open.join(', ')}</Badge>
}

function Found({ schema }: { readonly schema: Schema }) {
  const { migrations, unwritten, unconstrained, problems } = schema
  const pending = pendingOf(schema)
  return (
    <>
      {pending.length > 0 && (
        <div class="notice warn">
          <p>
            Migrations that have not run: <code>svc orm:migrate</code> runs them.
          </p>
          <ul>
            {pending.map(({ name }) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {unwritten.length > 0 && (
        <div class="notice warn">
          <p>
            Changes without a migration: <code>svc orm:diff</code> writes it.
          </p>
          <ul>
            {unwritten.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ul>
        </div>
      )}
      {unconstrained.length > 0 && (
        <div class="notice warn">
          <p>
            Relations without a foreign key: <code>svc orm:diff</code> adds it, <code>svc orm:check</code> finds rows
            that stand in its way.
          </p>
          <ul>
            {unconstrained.map((relation) => (
              <li key={relation}>{relation}</li>
            ))}
          </ul>
        </div>
      )}
      {problems.map(({ code, message, at, fix }) => (
        <div class="notice warn" key={`${code} ${at} ${message}`}>
          <p>
            {message} <span class="code">{code}</span>
          </p>
          {at !== undefined && <p class="muted">{at}</p>}
          {fix !== undefined && <p>{fix}</p>}
        </div>
      ))}
      {migrations.length > pending.length && (
        <details>
          <summary>{migrations.length - pending.length} migrations have run</summary>
          <ul>
            {migrations.map(
              ({ name, executedAt }) =>
                executedAt !== null && (
                  <li key={name}>
                    <code>{name}</code> <Time at={executedAt} />
                  </li>
                )
            )}
          </ul>
        </details>
      )}
    </>
  )
}
