/** The users, by name, and a way to make one. */
import { useState } from 'preact/hooks'
import { ApiError } from '../../app/api.ts'
import { useList } from '../../app/list.ts'
import { href, place, setQuery } from '../../app/location.ts'
import { useRenewal } from '../../app/renewal.ts'
import { Badge } from '../../parts/badge.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { KeptInput } from '../../parts/kept-input.tsx'
import { ListRows } from '../../parts/list-rows.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { NewUserDialog } from './new-user-dialog.tsx'
import { readUsers, type User } from './people-api.ts'

const HEAD = ['State', 'Name', 'Roles', 'Since']
const FILTERS = ['q', 'role', 'locked', 'enabled']

export function UserList() {
  const { query } = place.value
  const [making, setMaking] = useState(false)
  const filter = Object.fromEntries(
    FILTERS.map((name) => [name, query.get(name) ?? '']).filter(([, value]) => value !== '')
  ) as Record<string, string>
  const list = useList(JSON.stringify(filter), (cursor) => readUsers(filter, cursor))
  useRenewal(() => {
    if (list.error === null) list.renew()
  })
  const elsewhere = list.error instanceof ApiError && list.error.code === 'SVC_SEC_USERS_ELSEWHERE'
  if (elsewhere) {
    return (
      <>
        <PageHead title="People" />
        <EmptyState title="The application keeps its users itself.">
          <p>They are listed and changed where it does that. One can still be looked at by the id that it has there.</p>
        </EmptyState>
      </>
    )
  }
  return (
    <>
      <PageHead title="People">
        <button type="button" class="primary" onClick={() => setMaking(true)}>
          New user
        </button>
      </PageHead>
      <label class="search">
        <span class="hidden">Search by name</span>
        <KeptInput
          type="search"
          data-search
          placeholder="Search by name"
          maxLength={200}
          value={filter.q}
          onCommit={(q) => setQuery({ q })}
        />
      </label>
      <div class="filters">
        <label>
          Role
          <KeptInput
            value={filter.role}
            maxLength={200}
            placeholder="ROLE_USER"
            onCommit={(role) => setQuery({ role })}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={filter.locked === 'true'}
            onChange={(event) => setQuery({ locked: event.currentTarget.checked ? 'true' : null })}
          />
          Locked
        </label>
      </div>
      <ListRows
        list={list}
        one="user"
        label="Users"
        head={HEAD}
        columns="user-columns"
        keyOf={({ id }) => id}
        cells={cells}
        empty={
          <EmptyState title="No user matches.">
            <p>Take a filter away, or make the user.</p>
          </EmptyState>
        }
      />
      {making && <NewUserDialog onClose={() => setMaking(false)} />}
    </>
  )
}

export function UserBadge({ user: { enabled, locked } }: { readonly user: User }) {
  if (!enabled) return <Badge tone="plain">off</Badge>
  return locked ? <Badge tone="bad">locked</Badge> : <Badge tone="good">active</Badge>
}

function cells(user: User) {
  return [
    <UserBadge key="state" user={user} />,
    <a key="name" href={href(['people', user.id])}>
      {user.identifier}
    </a>,
    user.roles.join(', '),
    <Time key="since" at={user.createdAt} />
  ]
}
