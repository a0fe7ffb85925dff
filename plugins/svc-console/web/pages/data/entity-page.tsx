/** One entity: its fields, relations and indexes, how many rows it has, and the rows. */
import { useAnswer } from '../../app/answer.ts'
import { href } from '../../app/location.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field } from '../../parts/fields.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { type Column, type Entity, readCounts, readEntity } from './data-api.ts'
import { rowsText } from './model-view.tsx'
import { Rows } from './rows.tsx'

interface EntityPageProps {
  readonly connector: string
  readonly name: string
  /** `rows`, else the model. */
  readonly view: string | undefined
}

export function EntityPage({ connector, name, view }: EntityPageProps) {
  const { value: entity, error, reload } = useAnswer(`${connector} ${name}`, () => readEntity(connector, name))
  const base = ['data', 'entities', connector, name]
  const tabs = [
    { title: 'Model', segments: base, current: view !== 'rows' },
    { title: 'Rows', segments: [...base, 'rows'], current: view === 'rows' }
  ]
  return (
    <>
      <PageHead title={name} above={{ title: 'Data', href: href(['data']) }} />
      <ErrorNotice error={error} onRetry={reload} />
      {entity !== null && (
        <>
          <Tabs label="Views of the entity" tabs={tabs} />
          {view === 'rows' ? <Rows entity={entity} /> : <Model entity={entity} />}
        </>
      )}
    </>
  )
}

function Model({ entity }: { readonly entity: Entity }) {
  const { connector, name, module, storedAs, indexes } = entity
  const counts = useAnswer(`${connector} ${name}`, () => readCounts(connector))
  const count = counts.value?.[`${connector}.${name}`]
  const kept = [
    entity.scope !== undefined && `rows of one ${entity.scope} each`,
    entity.tree !== undefined && `a tree by ${entity.tree}`,
    entity.timestamps && 'when rows were made and changed',
    entity.softDelete && 'deleted rows, marked',
    entity.version && 'a version per row'
  ].filter((part) => part !== false)
  return (
    <>
      <dl class="fields">
        <Field name="Rows">
          {count === undefined ? <span class="muted">being counted</span> : rowsText(count)}
          {entity.softDelete && <span class="muted"> without the deleted ones</span>}
        </Field>
        <Field name="Connector">{connector}</Field>
        <Field name="Stored as">
          <code>{storedAs}</code>
          {entity.existing && <span class="muted"> an existing table{entity.readOnly && ', only read'}</span>}
        </Field>
        {module !== null && <Field name="Module">{module}</Field>}
        {kept.length > 0 && <Field name="Keeps">{kept.join('; ')}</Field>}
      </dl>
      <ErrorNotice error={counts.error} onRetry={counts.reload} />
      <Columns columns={entity.columns} />
      <Relations entity={entity} />
      {indexes.length > 0 && (
        <>
          <h2>Indexes</h2>
          <ul>
            {indexes.map((index) => (
              <li key={JSON.stringify(index)}>
                <code>{index.fields.join(', ')}</code> <span class="muted">{indexText(index)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function indexText({ unique, folded = [], where, method }: Entity['indexes'][number]): string {
  const parts = [
    unique && 'unique',
    folded.length > 0 && `${folded.join(', ')} in any case`,
    where !== undefined && `where ${where}`,
    method
  ]
  return parts.filter((part) => part !== false && part !== undefined).join('; ')
}

function Columns({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <>
      <h2>Fields</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Fields">
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">Null</th>
              <th scope="col">What else holds</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column.name}>
                <th scope="row">
                  <code>{column.name}</code>
                </th>
                <td>{typeText(column)}</td>
                <td>{column.nullable ? 'may be' : 'never'}</td>
                <td>{rulesOf(column).join('; ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function typeText({ type, maxLength, scale }: Column): string {
  if (maxLength !== undefined) return `${type}, at most ${maxLength} characters`
  return scale === undefined ? type : `${type}, ${scale} decimals`
}

function rulesOf({ primaryKey, unique, managed, hidden = false, sealed, values, check, ...column }: Column): string[] {
  return [
    primaryKey && 'primary key',
    column.storedAs !== undefined && `column ${column.storedAs}`,
    unique && !primaryKey && 'unique',
    managed && 'kept by the repository',
    hidden && 'hidden',
    sealed !== undefined && (sealed === 'searchable' ? 'encrypted, searchable' : 'encrypted'),
    column.default !== undefined && `default ${JSON.stringify(column.default)}`,
    values !== undefined && `one of ${values.join(', ')}`,
    check !== undefined && Object.keys(check).length > 0 && JSON.stringify(check)
  ].filter((rule) => rule !== false)
}

function Relations({ entity: { connector, relations, referredBy } }: { readonly entity: Entity }) {
  const to = (name: string) => <a href={href(['data', 'entities', connector, name])}>{name}</a>
  return (
    <>
      <h2>Relations</h2>
      {relations.length === 0 ? (
        <p class="muted">It refers to nothing.</p>
      ) : (
        <ul>
          {relations.map(({ type, target, field, foreignKey, onDelete }) => (
            <li key={field}>
              <code>{field}</code> {type} to {to(target)} <span class="muted">by {foreignKey}</span>
              {onDelete !== null && <span class="muted">, {onDelete} on delete</span>}
            </li>
          ))}
        </ul>
      )}
      <h2>Referred to by</h2>
      {referredBy.length === 0 ? (
        <p class="muted">Nothing refers to it.</p>
      ) : (
        <ul>
          {referredBy.map(({ entity, type, field, foreignKey }) => (
            <li key={`${entity} ${field}`}>
              {to(entity)} <code>{field}</code> {type} <span class="muted">by {foreignKey}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
