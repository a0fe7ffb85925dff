/** Why the server could not listen, with both ways out; and who holds the port, where Linux shows it in /proc. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Problem } from 'svc-kernel'
import type { ListenTarget } from '../config/define-config.ts'

/**
 * @param command how the person started it, repeated in the fix: `npm run dev`
 * @returns `null` when the failure is not about the address
 */
export async function listenProblem(
  error: unknown,
  { host, port, setting = 'server' }: ListenTarget,
  command: string
): Promise<Problem | null> {
  const choose = (name: 'host' | 'port', value: string | number) =>
    setting === 'server' ? `${name.toUpperCase()}=${value} ${command}` : `set ${setting}.${name} to ${value}`
  const { code } = (error ?? {}) as { code?: string }
  if (code === 'EADDRINUSE') {
    const holder = await portHolder(port)
    const otherPort = port + 10 <= 65535 ? port + 10 : port - 10
    return {
      code: 'SVC_PORT_BUSY',
      message: `port ${port} on ${host} is in use${holder === null ? '' : ` by ${describeHolder(holder, Date.now())}`}`,
      at: `${setting}.port (${host}:${port})`,
      fix: `${holder === null ? 'stop the other server' : `stop it (kill ${holder.pid})`} or ${choose('port', otherPort)}`
    }
  }
  if (code === 'EACCES') {
    return {
      code: 'SVC_PORT_FORBIDDEN',
      message: `this user may not open port ${port}`,
      at: `${setting}.port`,
      fix: choose('port', setting === 'server' ? 5151 : 5152)
    }
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return {
      code: 'SVC_HOST_UNKNOWN',
      message: `${host} is not an address of this machine`,
      at: `${setting}.host`,
      fix: choose('host', '127.0.0.1')
    }
  }
  return null
}

export interface PortHolder {
  readonly pid: number
  /** Program name, such as `node`. */
  readonly program: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Working folder of the process, where it may be read. */
  readonly folder: string | null
}

const LISTEN = '0A'
/** USER_HZ, which is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

export async function portHolder(port: number): Promise<PortHolder | null> {
  try {
    const inodes = await listeningInodes(port)
    if (inodes.size === 0) return null
    for (const entry of await readdir('/proc')) {
      if (/^\d+$/.test(entry) && (await holdsSocket(entry, inodes))) return await describeProcess(Number(entry))
    }
  } catch {
    // No /proc, or no leave to read it.
  }
  return null
}

async function listeningInodes(port: number): Promise<Set<string>> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const inodes = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'utf8').catch(() => '')
    for (const row of text.split('\n').slice(1)) {
      const columns = row.trim().split(/\s+/)
      if (columns[1]?.endsWith(suffix) && columns[3] === LISTEN && columns[9] !== undefined) inodes.add(columns[9])
    }
  }
  return inodes
}

async function holdsSocket(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  const descriptors = await readdir(folder).catch(() => [])
  for (const descriptor of descriptors) {
    const target = await readlink(`${folder}/${descriptor}`).catch(() => '')
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1]
    if (inode !== undefined && inodes.has(inode)) return true
  }
  return false
}

async function describeProcess(pid: number): Promise<PortHolder> {
  const [program, folder, status, uptime] = await Promise.all([
    programName(pid),
    readlink(`/proc/${pid}/cwd`).catch(() => null),
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile('/proc/uptime', 'utf8')
  ])
  return { pid, program, startedAt: Date.now() - 1000 * (Number.parseFloat(uptime) - startedAfterBoot(status)), folder }
}

/** Seconds from the machine's start to the process's: field 22 of its `stat`, after a name that may hold spaces (proc(5)). */
function startedAfterBoot(status: string): number {
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  return Number(fields[22 - 3]) / TICKS_PER_SECOND
}

/** Of the command line: the kernel's own short name is that of a thread, which Node sets for itself. */
async function programName(pid: number): Promise<string> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return basename(command.split('\0', 1)[0] ?? '') || 'unknown'
}

/**
 * The holder in words: which process, for how long, and from where.
 * @param now epoch milliseconds
 */
export function describeHolder({ pid, program, startedAt, folder }: PortHolder, now: number): string {
  const minutes = Math.max(0, Math.round((now - startedAt) / 60_000))
  const since = minutes < 1 ? 'just now' : minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`
  return `pid ${pid} (${program}, started ${since}${folder === null ? '' : ` from ${folder}`})`
}
