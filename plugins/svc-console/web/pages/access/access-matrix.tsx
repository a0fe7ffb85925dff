/** Which role gets in where. A cell leads to its explanation. */
import { useState } from 'preact/hooks'
import { useList } from '../../app/list.ts'
import { href, place, setQuery } from '../../app/location.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { KeptInput } from '../../parts/kept-input.tsx'
import { type MatrixRow, readMatrix } from './access-api.ts'

const MARKS: Readonly<Record<string, readonly [mark: string, tone: string]>> = {
  granted: ['✓', 'good'],
  refused: ['✕', 'bad'],
  depends: ['?', 'warn']
}

/** How the API names who proves nothing. */
const NOBODY = 'anonymous'

export function AccessMatrix() {
  const path = place.value.query.get('path') ?? ''
  const [roles, setRoles] = useState<readonly string[]>([])
  const list = useList(path, async (cursor) => {
    const { roles: asked, ...page } = await readMatrix(path, cursor)
    setRoles(asked)
    return page
  })
  return (
    <>
      <label class="search">
        <span class="hidden">Part of a path</span>
        <KeptInput
          type="search"
          data-search
          placeholder="Part of a path"
          maxLength={1024}
          value={path}
          onCommit={(path) => setQuery({ path })}
        />
      </label>
      <p class="muted">✓ granted, ✕ refused, ? depends on the subject or on the proof</p>
      <ErrorNotice error={list.error} onRetry={list.reload} />
      {list.rows.length === 0 && !list.loading && list.error === null ? (
        <EmptyState title="No route matches." />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        <section class="scroll" tabIndex={0} aria-label="Roles and routes">
          <table class="matrix">
            <thead>
              <tr>
                <th scope="col">Route</th>
                {roles.map((role) => (
                  <th scope="col" key={role}>
                    {role === NOBODY ? 'nobody' : breakable(role.replace(/^ROLE_/, ''))}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {list.rows.map((row) => (
                <Row key={`${row.method} ${row.path}`} row={row} roles={roles} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <div class="buttons end">
        {list.hasMore && (
          <button type="button" disabled={list.loading} onClick={list.more}>
            More routes
          </button>
        )}
      </div>
    </>
  )
}

/** A long role wraps after an underscore. */
function breakable(role: string) {
  return role.split(/(?<=_)/).flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]))
}

function Row({
  row: { method, path, requirement, cells },
  roles
}: {
  readonly row: MatrixRow
  readonly roles: readonly string[]
}) {
  const [first = 'GET'] = method.split(',')
  return (
    <tr>
      <th scope="row" title={requirement ?? 'no guard'}>
        <span class="muted">{method}</span> <code>{path}</code>
      </th>
      {cells.map((cell, index) => {
        const [mark, tone] = MARKS[cell] ?? ['?', 'warn']
        const role = roles[index] ?? NOBODY
        const query = { method: first, path, roles: role === NOBODY ? null : role }
        return (
          <td key={role}>
            <a class={`badge ${tone}`} href={href(['access'], query)} aria-label={`${cell} for ${role}`} title={cell}>
              {mark}
            </a>
          </td>
        )
      })}
    </tr>
  )
}
