/**
 * GET routes as resources: `svc://` and the path of the route. Reading one runs the route, so its guard, its row scope, its
 * hidden fields and its pages are those of HTTP.
 */
import type { Problem } from 'svc-kernel'
import type { DeclaredRoute } from 'svc-kernel/plugin'
import type { SharedSchemas } from '../tools/json-schema.ts'
import { describe, duplicates, type ServedRoute, servedRoutes } from '../tools/tool.ts'
import { toolInput } from '../tools/tool-input.ts'

export interface Resource extends ServedRoute {
  /** RFC 6570: `svc:///api/articles/{id}{?limit,offset}`. */
  readonly uriTemplate: string
  /** Of the resource without any parameter; `null` where it needs some. */
  readonly uri: string | null
  /** What a URI names; `null` for one of another resource. */
  argumentsOf(uri: string): Record<string, unknown> | null
}

const SCHEME = 'svc://'

export function collectResources(
  declared: readonly DeclaredRoute[],
  shared: SharedSchemas
): { readonly resources: readonly Resource[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const resources = servedRoutes(declared, 'resource').map((given): Resource => {
    const { method, options, url } = given
    const read = toolInput({ ...options, url }, method, shared, false)
    const input = method === 'GET' ? read : { ...read, faults: [...read.faults, 'a resource is a GET route'] }
    return resourceOf(describe({ ...given, input }, problems, 'resource'))
  })
  return { resources, problems: [...problems, ...duplicates(resources, 'resource')] }
}

function resourceOf(served: ServedRoute): Resource {
  const { input } = served
  const places = [...input.places].map(([argument, { part, key }]) => ({ argument, part, key }))
  const query = places.filter(({ part }) => part === 'query')
  const template = input.path.map((part) => (typeof part === 'string' ? part : `{${part.name}}`)).join('')
  const search = query.length === 0 ? '' : `{?${query.map(({ key }) => key).join(',')}}`
  const names = places.filter(({ part }) => part === 'params').map(({ argument }) => argument)
  const form = new RegExp(
    `^${template
      .split(/\{\w+\}/)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('([^/?#]+)')}$`
  )
  return {
    ...served,
    uriTemplate: `${SCHEME}${template}${search}`,
    uri: names.length === 0 ? `${SCHEME}${template}` : null,
    argumentsOf(uri) {
      if (!uri.startsWith(SCHEME)) return null
      const [target = '', text = ''] = uri.slice(SCHEME.length).split('?', 2)
      const values = form.exec(target)?.slice(1)
      if (values === undefined) return null
      const asked = new URLSearchParams(text)
      const unknown = [...asked.keys()].filter((key) => !query.some((each) => each.key === key))
      if (unknown.length > 0) return null
      return Object.fromEntries([
        ...names.map((name, index) => [name, decoded(values[index] as string)]),
        ...query
          .filter(({ key }) => asked.has(key as string))
          .map(({ argument, key }) => [argument, asked.getAll(key as string)])
      ])
    }
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
