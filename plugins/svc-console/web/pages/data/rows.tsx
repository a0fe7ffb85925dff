/** The rows of an entity, where the application shows them and to who may see them: to read, filter and sort. */
import { useState } from 'preact/hooks'
import { ApiError } from '../../app/api.ts'
import { useList } from '../../app/list.ts'
import { place, setQuery } from '../../app/location.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { type Entity, type Row, type RowsPage, readRows } from './data-api.ts'
import { RowFilter } from './row-filter.tsx'
import { whereOf } from './row-question.ts'

export function Rows({ entity }: { readonly entity: Entity }) {
  const { query } = place.value
  const question = { where: whereOf(entity, query), order: query.get('order') }
  const [shown, setShown] = useState<Pick<RowsPage, 'fields' | 'masked'>>({ fields: [], masked: [] })
  const list = useList(JSON.stringify(question), async (cursor) => {
    const { fields, masked, ...page } = await readRows(entity, question, cursor)
    setShown({ fields, masked })
    return page
  })
  if (list.error instanceof ApiError && list.error.code === 'SVC_ORM_ROWS_OFF') return <Off />
  if (list.error instanceof ApiError && list.error.status === 403) return <Refused />
  return (
    <>
      <RowFilter key={JSON.stringify(question)} entity={entity} fields={shown.fields} />
      <ErrorNotice error={list.error} onRetry={list.reload} />
      {shown.masked.length > 0 && (
        <p class="muted">
          Not shown, as the names say secret: <code>{shown.masked.join(', ')}</code>
        </p>
      )}
      {list.rows.length === 0 && !list.loading && list.error === null && (
        <EmptyState title={question.where === null ? 'There is no row yet.' : 'No row matches.'}>
          {question.where !== null && (
            <button type="button" onClick={() => setQuery({ field: null, value: null, null: null })}>
              Show all
            </button>
          )}
        </EmptyState>
      )}
      {list.rows.length > 0 && <RowTable entity={entity} fields={shown.fields} rows={list.rows} />}
      {/* Another one where there are rows: below them it does not move there. */}
      <p class="muted count" role="status" key={list.rows.length > 0 ? 'below' : 'alone'}>
        {list.loading ? 'Loading …' : `${list.rows.length}${list.hasMore ? '+' : ''} rows`}
      </p>
      <div class="buttons end">
        {list.hasMore && (
          <button type="button" disabled={list.loading} onClick={list.more}>
            More rows
          </button>
        )}
      </div>
    </>
  )
}

function Off() {
  return (
    <EmptyState title="This application shows no rows.">
      <p>
        Set <code>svc-orm.admin.rows</code> to <code>true</code>, then start it again. Each look is recorded in the
        journal.
      </p>
    </EmptyState>
  )
}

function Refused() {
  return (
    <EmptyState title="You may not see rows.">
      <p>
        That takes the role <code>ROLE_SVC_DATA</code> besides <code>ROLE_SVC_ADMIN</code>.
      </p>
    </EmptyState>
  )
}

interface RowTableProps {
  readonly entity: Entity
  readonly fields: readonly string[]
  readonly rows: readonly Row[]
}

function RowTable({ entity, fields, rows }: RowTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section class="scroll" tabIndex={0} aria-label={`Rows of ${entity.name}`}>
      <table class="data-rows">
        <thead>
          <tr>
            {fields.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={String(row.values.id)}>
              {fields.map((name) => (
                <td key={name}>
                  <Value value={row.values[name]} cut={row.cut.includes(name)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Value({ value, cut }: { readonly value: unknown; readonly cut: boolean }) {
  if (value === null || value === undefined) return <span class="muted">null</span>
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return <span title={cut ? `Only its beginning: ${text}` : text}>{text}</span>
}
