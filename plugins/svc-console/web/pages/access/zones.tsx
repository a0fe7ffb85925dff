/** The zones in the order in which they are asked, the routes in them, and the roles with what they inherit. */
import { useAnswer } from '../../app/answer.ts'
import { href, place, setQuery } from '../../app/location.ts'
import { counted } from '../../parts/counted.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Choice } from '../../parts/filter-box.tsx'
import { VirtualRows } from '../../parts/virtual-rows.tsx'
import { type RouteView, readFirewall, readRoles, type Zone } from './access-api.ts'
import { RoleGraph } from './role-graph.tsx'

const HEAD = ['Method', 'Path', 'Zone', 'Guard', 'Name']

/** For the filter: routes in none. */
const NONE = 'no zone'

export function Zones() {
  const { value, error, reload } = useAnswer('firewall', readFirewall)
  const roles = useAnswer('roles', readRoles)
  const wanted = place.value.query.get('zone') ?? ''
  // Together, so that what is there does not move.
  if (value === null || (roles.value === null && roles.error === null)) {
    return <ErrorNotice error={error} onRetry={reload} />
  }
  const { zones, routes } = value
  const shown = wanted === '' ? routes : routes.filter(({ zone }) => (zone ?? NONE) === wanted)
  return (
    <>
      <div class="zones">
        {zones.map((zone) => (
          <ZoneCard key={zone.name} zone={zone} routes={routes.filter((route) => route.zone === zone.name).length} />
        ))}
      </div>
      <h2>Roles</h2>
      <ErrorNotice error={roles.error} onRetry={roles.reload} />
      {roles.value !== null && Object.keys(roles.value.hierarchy).length === 0 && (
        <p class="muted">No role inherits another: roleHierarchy of svc-security is empty.</p>
      )}
      {roles.value !== null && <RoleGraph hierarchy={roles.value.hierarchy} />}
      <h2>Routes</h2>
      <form class="filters">
        <Choice
          label="Zone"
          value={wanted}
          options={[...zones.map(({ name }) => name), NONE]}
          onChange={(zone) => setQuery({ zone })}
        />
      </form>
      {shown.length === 0 ? (
        <EmptyState title="No route lies there." />
      ) : (
        <VirtualRows
          label="Routes"
          head={HEAD}
          columns="route-columns"
          rows={shown}
          keyOf={({ method, path, transports }) => `${method} ${path} ${transports.join()}`}
          cells={cells}
        />
      )}
    </>
  )
}

function ZoneCard({
  zone: { name, pattern, authenticators, mode, realtime },
  routes
}: {
  readonly zone: Zone
  readonly routes: number
}) {
  return (
    <section class="card">
      <h2>{name}</h2>
      <p>
        <code>{pattern}</code>
      </p>
      <p class="muted">
        {authenticators.join(mode === 'all' ? ' and ' : ', else ')} · {counted(routes, 'route')}
        {realtime ? '' : ' · not over WebSockets'}
      </p>
    </section>
  )
}

function cells({ method, path, zone, requirement, name }: RouteView) {
  return [
    method,
    <a key="path" href={href(['access'], { method: method.split(',')[0] ?? 'GET', path })}>
      {path}
    </a>,
    zone ?? NONE,
    requirement ?? 'none',
    name
  ]
}
