/**
 * Runs a child process for the set-up scripts. A quiet step shows one line and keeps its output for when it
 * fails; a live step shares this terminal. Every child finds the repository's own Node first on its PATH.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export function childEnvironment() {
  const env = { ...process.env }
  const pathKey = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  env[pathKey] = [join(root, 'node_modules', '.bin'), env[pathKey]].filter(Boolean).join(delimiter)
  return env
}

/** A set-up step that could not be done. The message is meant for the terminal, without a stack. */
export class StepFailed extends Error {}

/** How often a quiet step says that it is still running. */
const HEARTBEAT_MS = 10_000

/**
 * Resolves when the command succeeded; otherwise prints what it wrote and throws `StepFailed`. Meanwhile a line at each
 * heartbeat says how long it takes, and what `progress` returns.
 */
export async function runQuietStep(
  title,
  command,
  args,
  { cwd = root, hint, progress, heartbeatMs = HEARTBEAT_MS } = {}
) {
  process.stderr.write(`setup: ${title}\n`)
  const began = performance.now()
  const heartbeat = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1000)
    process.stderr.write(`setup:   ${[`${seconds} s so far`, progress?.()].filter(Boolean).join(', ')}\n`)
  }, heartbeatMs)
  const child = spawn(command, args, { cwd, env: childEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
  const written = []
  child.stdout.on('data', (chunk) => written.push(chunk))
  child.stderr.on('data', (chunk) => written.push(chunk))
  const code = await exitCodeOf(child).finally(() => clearInterval(heartbeat))
  if (code === 0) return
  process.stderr.write(Buffer.concat(written))
  throw new StepFailed(`setup: ${title} failed (exit code ${code})${hint ? `\n  fix: ${hint}` : ''}`)
}

/** Runs a command on this terminal, passes the signals on, and resolves to its exit code. Variables that `env` has as `undefined` are left out. */
export async function runLive(command, args, { cwd = root, env = {} } = {}) {
  const child = spawn(command, args, { cwd, env: { ...childEnvironment(), ...env }, stdio: 'inherit' })
  const forward = (signal) => {
    // A terminal sends Ctrl-C to the whole process group: the child has had it already, and a second one means "at once".
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward)
  return exitCodeOf(child)
}

/** The exit code of a child; one ended by a signal counts as 128 plus its number, as in a shell. */
export function exitCodeOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}
