/**
 * Where in the application an error came from: the first frame of its stack
 * outside of Node, of dependencies and of the svc packages themselves.
 */
import { isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds the svc packages: `plugins` in a checkout, `node_modules` elsewhere. */
const HOUSE = fileURLToPath(new URL('../../../../', import.meta.url))
const FOREIGN = new RegExp(
  `[\\\\/]node_modules[\\\\/]|^${escapePattern(HOUSE)}svc-[\\w-]+[\\\\/](?:dist[\\\\/])?src[\\\\/]`
)

/** @returns `file:line`, relative to the working folder where it lies below it */
export function placeOf(error: Error): string | undefined {
  const own = importer(error) ?? firstFrame(error.stack ?? '')
  if (own !== undefined) return own
  return error.cause instanceof Error ? placeOf(error.cause) : undefined
}

/** `Cannot find module './nope.js' imported from /app/app.js`: its stack has frames of Node only. */
function importer({ message }: Error): string | undefined {
  const file = /^Cannot find (?:module|package) .* imported from (.+)$/.exec(message)?.[1]
  return file === undefined ? undefined : readablePath(file)
}

function firstFrame(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    const place = frameLocation(line)
    if (place !== undefined && !FOREIGN.test(place.file)) return `${readablePath(place.file)}:${place.line}`
  }
  return undefined
}

/** Reads `at f (file:///app/x.js:1:2)`, `at async /app/x.js:1:2`, and the `file:///app/x.js:1` above a link error. */
function frameLocation(line: string): { file: string; line: string } | undefined {
  const frame = /^\s+at (?:async )?(.+):\d+\)?$/.exec(line)?.[1]
  const text = frame === undefined ? line : frame.slice(frame.indexOf(' (') === -1 ? 0 : frame.indexOf(' (') + 2)
  const [, location = '', number = ''] = /^(.+):(\d+)$/.exec(text) ?? []
  if (location.startsWith('file://')) return { file: pathOf(location), line: number }
  return frame !== undefined && /^(?:[\\/]|[A-Za-z]:)/.test(location) ? { file: location, line: number } : undefined
}

/** As a person in the working folder would type it. */
export function readablePath(path: string): string {
  const file = pathOf(path)
  if (!isAbsolute(file)) return file
  const near = relative(process.cwd(), file)
  return near === '' || near.startsWith(`..${sep}`) || near === '..' ? file : near
}

function pathOf(location: string): string {
  try {
    return location.startsWith('file://') ? fileURLToPath(location) : location
  } catch {
    // A file URL of another machine is no path here.
    return location
  }
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
