/**
 * What of the whole document one audience reads: operations by path and tag. What only other operations refer to is left
 * out with them. Pure: takes a document, answers a new one.
 */
import type { RouteOptions } from 'fastify'
import { requirementOf } from 'svc-kernel/plugin'
import type { Document, Operation, WholeDocument } from './document.ts'
import { reachable } from './references.ts'

export interface Selection {
  /** Paths with `*`, such as `/api/orders/*`, or tags; every operation unless given. */
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  /** Which operations that require an administrator are in it: none, those that `include` names, all, or these alone. */
  readonly administration: 'none' | 'included' | 'all' | 'only'
}

/** The guard of the admin planes. `x-guard` joins the clauses that must all pass with `&`. */
const ADMINISTRATOR = 'ROLE_SVC_ADMIN'

export function requiresAdministrator({ 'x-guard': guard }: Pick<Operation, 'x-guard'>): boolean {
  return guard?.split(' & ').some((clause) => clause.replace(/\(.*/s, '') === ADMINISTRATOR) ?? false
}

/**
 * The operations whose route requires an administrator, whatever the document says: a `transform` or a schema of the
 * application may have changed `x-guard`.
 */
export function administratorsOperations(
  routes: readonly Pick<RouteOptions, 'method' | 'url' | 'config' | 'preParsing'>[]
): ReadonlySet<string> {
  const guarded = routes.filter((route) =>
    requirementOf(route)?.some(([first, ...others]) => others.length === 0 && first?.attribute === ADMINISTRATOR)
  )
  return new Set(guarded.flatMap(({ method, url }) => [method].flat().map((each) => operationKey(each, url))))
}

/** Names of parameters and their patterns do not count. */
function operationKey(method: string, path: string): string {
  return `${method.toLowerCase()} ${path.replace(/:\w+(?:\([^)]*\))?\??|\{\w+\}/g, '{}')}`
}

type Named = Readonly<{ path: string; tags?: readonly string[] | undefined }>

/** One entry of `include` or `exclude`. A parameter may be written as in Fastify, `:id`, or as in OpenAPI, `{id}`. */
function matcher(entry: string): (named: Named) => boolean {
  if (!entry.startsWith('/')) return ({ tags = [] }) => tags.includes(entry)
  const literal = entry.replace(/:(\w+)/g, '{$1}').split('*')
  const pattern = new RegExp(`^${literal.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`)
  return ({ path }) => pattern.test(path.replace(/:(\w+)/g, '{$1}'))
}

/** @param administrators of `administratorsOperations` */
export function selectDocument(
  document: WholeDocument,
  selection: Selection,
  administrators: ReadonlySet<string> = new Set()
): WholeDocument {
  const { include, exclude = [], administration } = selection
  const included = include?.map(matcher)
  const excluded = exclude.map(matcher)
  const isWanted = (method: string, named: Named, operation: Pick<Operation, 'x-guard'>): boolean => {
    if (included?.some((matches) => matches(named)) === false || excluded.some((matches) => matches(named)))
      return false
    const isAdministrators = requiresAdministrator(operation) || administrators.has(operationKey(method, named.path))
    if (!isAdministrators) return administration !== 'only'
    return administration === 'included' ? included !== undefined : administration !== 'none'
  }
  const dropped: Described[] = []
  const paths: NonNullable<Document['paths']> = {}
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(item)) {
      if (isWanted(method, { path, tags: operation.tags }, operation))
        paths[path] = { ...paths[path], [method]: operation }
      else dropped.push(operation)
    }
  }
  const wanted = <Route extends Named & { readonly guard: string | null }>(routes: readonly Route[] = []): Route[] =>
    routes.filter((route) => {
      const isKept = isWanted('get', route, { 'x-guard': route.guard ?? undefined })
      if (!isKept) dropped.push(route)
      return isKept
    })
  const { 'x-websocket-routes': allSockets, 'x-channels': allChannels, ...rest } = document
  const sockets = wanted(allSockets)
  // A channel is where its socket is, and needs what its own guard says.
  const channels = wanted(allChannels?.map((channel) => ({ ...channel, path: channel.socket })))
  const selected: WholeDocument = {
    ...rest,
    paths,
    ...(sockets.length === 0 ? {} : { 'x-websocket-routes': sockets }),
    ...(channels.length === 0 ? {} : { 'x-channels': channels.map(({ path: _, ...channel }) => channel) })
  }
  return dropped.length === 0 ? selected : withoutUnused(selected, dropped)
}

/** What uses components, schemes and tags: an operation, or a route or channel beside the paths. */
interface Described {
  readonly security?: readonly object[]
  readonly tags?: readonly string[] | undefined
}

/** Without the components, schemes and tags that only dropped operations used. */
function withoutUnused(document: WholeDocument, dropped: readonly Described[]): WholeDocument {
  const { components = {}, tags } = document
  const { securitySchemes, ...sections } = components
  const ofDropped = reachable(dropped, sections)
  const other = Object.entries(sections).flatMap(([section, entries]) =>
    Object.entries(entries ?? {}).flatMap(([name, value]) => (ofDropped.has(`${section}/${name}`) ? [] : [value]))
  )
  const { components: _components, ...rest } = document
  const used = reachable([rest, ...other], sections)
  const kept = Object.entries(sections).map(([section, entries]) => [
    section,
    pick(entries ?? {}, (name) => used.has(`${section}/${name}`) || !ofDropped.has(`${section}/${name}`))
  ])
  const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item))
  const wanted: Described[] = [...operations, ...(document['x-websocket-routes'] ?? [])]
  const schemesOf = (all: readonly Described[]): Set<string> =>
    new Set(all.flatMap(({ security = [] }) => security.flatMap((proof) => Object.keys(proof))))
  const tagsOf = (all: readonly Described[]): Set<string> => new Set(all.flatMap(({ tags: own = [] }) => own))
  const [schemes, droppedSchemes] = [schemesOf(wanted), schemesOf(dropped)]
  const [names, droppedNames] = [tagsOf(wanted), tagsOf(dropped)]
  return {
    ...document,
    components: {
      ...Object.fromEntries(kept),
      ...(securitySchemes === undefined
        ? {}
        : { securitySchemes: pick(securitySchemes, (name) => schemes.has(name) || !droppedSchemes.has(name)) })
    },
    ...(tags === undefined ? {} : { tags: tags.filter(({ name }) => names.has(name) || !droppedNames.has(name)) })
  }
}

function pick<Value>(
  record: Readonly<Record<string, Value>>,
  isKept: (name: string) => boolean
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => isKept(name)))
}
