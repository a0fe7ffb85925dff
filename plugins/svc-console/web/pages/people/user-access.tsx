/** What one user may do: each route, whether it lets them in, and what refuses them. A row leads to its explanation. */
import { useAnswer } from '../../app/answer.ts'
import { useList } from '../../app/list.ts'
import { href, place, setQuery } from '../../app/location.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { KeptInput } from '../../parts/kept-input.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { reasonText } from '../../parts/votes.tsx'
import { type AccessRow, readAccess, readUser } from './people-api.ts'

const TONES: Readonly<Record<AccessRow['access'], string>> = { granted: 'good', refused: 'bad', depends: 'warn' }

export function UserAccess({ id }: { readonly id: string }) {
  const path = place.value.query.get('path') ?? ''
  const { value: user, error } = useAnswer(id, () => readUser(id))
  const list = useList(`${id} ${path}`, (cursor) => readAccess(id, path, cursor))
  const name = user?.identifier ?? 'the user'
  return (
    <>
      <PageHead title={`What ${name} may do`} above={{ title: name, href: href(['people', id]) }} />
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
      <ErrorNotice error={error ?? list.error} onRetry={list.reload} />
      {list.rows.length === 0 && !list.loading && list.error === null ? (
        <EmptyState title="No route matches." />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        <section class="scroll" tabIndex={0} aria-label="Routes">
          <table>
            <thead>
              <tr>
                <th scope="col">Route</th>
                <th scope="col">Access</th>
                <th scope="col">Why not</th>
              </tr>
            </thead>
            <tbody>
              {list.rows.map((row) => (
                <Row key={`${row.method} ${row.path}`} row={row} user={user?.identifier ?? null} />
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

function Row({
  row: { method, path, access, reason, lacking, requirement },
  user
}: {
  readonly row: AccessRow
  readonly user: string | null
}) {
  const [first = 'GET'] = method.split(',')
  return (
    <tr>
      <th scope="row" title={requirement ?? 'no guard'}>
        <span class="muted">{method}</span> <code>{path}</code>
      </th>
      <td>
        <a class={`badge ${TONES[access]}`} href={href(['access'], { method: first, path, user })}>
          {access}
        </a>
      </td>
      <td>{lacking.length > 0 ? `needs ${lacking.join(' or ')}` : reason === null ? '' : reasonText(reason)}</td>
    </tr>
  )
}
