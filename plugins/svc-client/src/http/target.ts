/** The method and the target of a call, of the name of its route: `GET /api/notes/:id`. Pure. */

type Values = Readonly<Record<string, unknown>>

/** A parameter of a path: its name, its pattern, and whether it may be left out; or what a wildcard stands for. */
const PARAMETER = /::|:(\w+)(?:\((?:[^()\\]|\\.|\([^()]*\))*\))?(\?)?|\*$/g

/**
 * @returns method, and path with query as on a request line
 * @throws TypeError where a parameter has no value
 */
export function targetOf(route: string, params: Values = {}, query: Values = {}): [method: string, path: string] {
  const space = route.indexOf(' ')
  const path = route.slice(space + 1).replace(PARAMETER, (found, name: string | undefined, optional?: string) => {
    if (found === '::') return ':'
    const value = params[name ?? '*']
    if (value === undefined && optional !== undefined) return ''
    if (value === undefined || value === '') throw new TypeError(`params.${name ?? '*'} of ${route} has no value`)
    if (name === undefined) return String(value).split('/').map(segment).join('/')
    return segment(String(value))
  })
  const text = queryText(query)
  return [route.slice(0, space), text === '' ? path : `${path}?${text}`]
}

/** A segment of dots alone would be another path. */
function segment(value: string): string {
  return value === '.' || value === '..' ? value.replaceAll('.', '%2E') : encodeURIComponent(value)
}

/** A list repeats its name; what is absent or null is left out; a date is written as JSON writes it. */
function queryText(query: Values): string {
  const text = new URLSearchParams()
  for (const [name, given] of Object.entries(query)) {
    for (const value of [given].flat()) {
      if (value != null) text.append(name, value instanceof Date ? value.toISOString() : String(value))
    }
  }
  return text.toString()
}
