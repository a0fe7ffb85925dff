/**
 * What of the whole document one audience reads: operations by path and tag. What only other operations refer to is left
 * out with them. Pure: takes a document, answers a new one.
 */
import type { RouteOptions } from 'fastify'
import { requirementOf } from 'svc-kernel/plugin'
import type { Document, Operation } from './document.ts'

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
  document: Document,
  selection: Selection,
  administrators: ReadonlySet<string> = new Set()
): Document {
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
  const dropped: Operation[] = []
  const paths: NonNullable<Document['paths']> = {}
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(item)) {
      if (isWanted(method, { path, tags: operation.tags }, operation))
        paths[path] = { ...paths[path], [method]: operation }
      else dropped.push(operation)
    }
  }
  const sockets = document['x-websocket-routes']
  const wantedSockets = sockets?.filter((route) => isWanted('get', route, { 'x-guard': route.guard ?? undefined }))
  const { 'x-websocket-routes': _all, ...rest } = document
  const selected: Document = {
    ...rest,
    paths,
    ...(wantedSockets === undefined || wantedSockets.length === 0 ? {} : { 'x-websocket-routes': wantedSockets })
  }
  return dropped.length === 0 ? selected : withoutUnused(selected, dropped)
}

/** Without the components, schemes and tags that only dropped operations used. */
function withoutUnused(document: Document, dropped: readonly Operation[]): Document {
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
  const wanted = [...operations, ...(document['x-websocket-routes'] ?? [])]
  const schemesOf = (all: readonly Pick<Operation, 'security'>[]): Set<string> =>
    new Set(all.flatMap(({ security = [] }) => security.flatMap((proof) => Object.keys(proof))))
  const tagsOf = (all: readonly Operation[]): Set<string> => new Set(all.flatMap(({ tags: own = [] }) => own))
  const [schemes, droppedSchemes] = [schemesOf(wanted), schemesOf(dropped)]
  const [names, droppedNames] = [tagsOf(operations), tagsOf(dropped)]
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

type Sections = Readonly<Record<string, Readonly<Record<string, object>> | undefined>>

/** `schemas/Order` and the like: what these values refer to, and what that refers to. */
function reachable(values: readonly unknown[], sections: Sections): Set<string> {
  const found = new Set<string>()
  const open: unknown[] = [...values]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const reference = (value as { $ref?: unknown }).$ref
    const [, section = '', name = ''] =
      typeof reference === 'string' ? (/^#\/components\/([^/]+)\/([^/]+)/.exec(reference) ?? []) : []
    if (section !== '' && !found.has(`${section}/${name}`)) {
      found.add(`${section}/${name}`)
      open.push(sections[section]?.[name])
    }
    open.push(...Object.values(value))
  }
  return found
}

function pick<Value>(
  record: Readonly<Record<string, Value>>,
  isKept: (name: string) => boolean
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => isKept(name)))
}
