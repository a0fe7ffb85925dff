/** The organisations, the newest first, by name and state. */
import { useList } from '../../app/list.ts'
import { href, place, setQuery } from '../../app/location.ts'
import { useRenewal } from '../../app/renewal.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { counted } from '../../parts/counted.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Choice, FilterBox } from '../../parts/filter-box.tsx'
import { KeptInput } from '../../parts/kept-input.tsx'
import { ListRows } from '../../parts/list-rows.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { type ListedOrganization, readOrganizations } from './organizations-api.ts'

const HEAD = ['State', 'Name', 'Slug', 'Members', 'Since']
const STATES = ['active', 'suspended', 'closing']

const TONES: Readonly<Record<string, Tone>> = { active: 'good', suspended: 'bad', closing: 'warn' }

export function StateBadge({ state }: Pick<ListedOrganization, 'state'>) {
  return <Badge tone={TONES[state] ?? 'plain'}>{state}</Badge>
}

export function OrganizationList() {
  const { query } = place.value
  const [q, state] = [query.get('q'), query.get('state')]
  const list = useList(JSON.stringify([q, state]), (cursor) => readOrganizations({ q, state }, cursor))
  useRenewal(() => {
    if (list.error === null) list.renew()
  })
  return (
    <>
      <PageHead title="Organisations" />
      <label class="search">
        <span class="hidden">Search by name or slug</span>
        <KeptInput
          type="search"
          data-search
          placeholder="Search by name or slug"
          maxLength={200}
          value={q ?? undefined}
          onCommit={(text) => setQuery({ q: text })}
        />
      </label>
      <FilterBox count={state === null ? 0 : 1}>
        <Choice
          label="State"
          value={state ?? undefined}
          options={STATES}
          onChange={(one) => setQuery({ state: one })}
        />
      </FilterBox>
      <ListRows
        list={list}
        one="organisation"
        label="Organisations"
        head={HEAD}
        columns="organization-columns"
        keyOf={({ id }) => id}
        cells={cells}
        empty={<Nothing filtered={q !== null || state !== null} />}
      />
    </>
  )
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState title="No organisation matches.">
        <a href={href(['organizations'])}>Show all</a>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="There is no organisation yet.">
      <p>
        <code>fastify.organizations.create</code> makes one, and so do users where the option <code>create</code> is on.
      </p>
    </EmptyState>
  )
}

function cells({ id, name, slug, state, members, createdAt }: ListedOrganization) {
  return [
    <StateBadge key="state" state={state} />,
    <a key="name" href={href(['organizations', id])}>
      {name}
    </a>,
    slug,
    counted(members, 'member'),
    <Time key="since" at={createdAt} />
  ]
}
