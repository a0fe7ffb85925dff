/**
 * The process environment of the command itself. The only file of this package
 * that touches process.env; an application's own variables are read by its env.ts.
 */

/** What the development server puts back before every reload, so that .env is read again. */
export type EnvironmentSnapshot = Readonly<NodeJS.ProcessEnv>

/** `NODE_ENV` for commands that imply a mode; a value that is set already wins. */
export function assumeMode(mode: 'development' | 'production'): void {
  process.env.NODE_ENV ??= mode
}

/** `--no-color` is the standard variable, set before anything decides about colours. */
export function refuseColours(): void {
  process.env.NO_COLOR = '1'
  delete process.env.FORCE_COLOR
}

/** `DEBUG=svc:*` asks for stacks, as `--verbose` does. */
export function wantsStacks(): boolean {
  return (process.env.DEBUG ?? '').split(/[\s,]+/).some((name) => name === '*' || name.startsWith('svc:'))
}

/** Of an administrator of a running server; here no list of processes shows it. */
export function apiKey(): string | undefined {
  return process.env.SVC_API_KEY || undefined
}

/** Origin of the running server that commands ask. */
export function serverUrl(): string | undefined {
  return process.env.SVC_URL || undefined
}

export function takeSnapshot(): EnvironmentSnapshot {
  return { ...process.env }
}

export function restoreSnapshot(snapshot: EnvironmentSnapshot): void {
  for (const name of Object.keys(process.env)) {
    if (!(name in snapshot)) delete process.env[name]
  }
  Object.assign(process.env, snapshot)
}
