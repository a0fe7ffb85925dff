/**
 * Type errors beside the running code: one short run of `tsc` after each edit,
 * which emits nothing. A new edit ends the run of the one before. There is no
 * compiler that stays in memory, and none that outlives this process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compilerOf } from '../application/app-packages.ts'

/** The edit is served first, and after a start the first requests are; all want the processor. */
const AFTER_MS = { start: 2_000, edit: 200 }

export class TypeCheck {
  readonly #root: string
  readonly #onResult: (faults: readonly TypeFault[]) => void
  readonly #compiler: string | null
  #timer: NodeJS.Timeout | undefined
  #running: ChildProcess | null = null

  /** @param onResult called once per completed check */
  constructor(root: string, onResult: (faults: readonly TypeFault[]) => void) {
    this.#root = root
    this.#onResult = onResult
    this.#compiler = compilerOf(root)
  }

  /** The server has started, or something was edited. Without TypeScript in the application, nothing is checked. */
  after(event: keyof typeof AFTER_MS): void {
    if (this.#compiler === null) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#check(this.#compiler as string), AFTER_MS[event])
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#running?.kill()
    this.#running = null
  }

  #check(compiler: string): void {
    this.stop()
    const memory = join(tmpdir(), `svc-types-${createHash('sha256').update(this.#root).digest('hex').slice(0, 16)}`)
    const options = ['--noEmit', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', memory]
    const child = spawn(process.execPath, [compiler, '-p', this.#root, ...options], {
      cwd: this.#root,
      stdio: ['ignore', 'pipe', 'ignore']
    })
    this.#running = child
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.on('error', () => undefined)
    child.on('close', () => {
      if (this.#running !== child) return
      this.#running = null
      this.#onResult(typeFaults(output))
    })
  }
}

/** A type error; `at` is `file:line`. */
export interface TypeFault {
  /** `file:line:column` as tsc names it; empty for a fault of the whole project. */
  readonly at: string
  /** Such as `TS2322`. */
  readonly code: string
  readonly message: string
}

const FAULT = /^(?:(.+?)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/

/** Reads what `tsc --pretty false` prints: one fault per error; the indented lines that explain it further are left out. */
export function typeFaults(output: string): TypeFault[] {
  return output.split(/\r?\n/).flatMap((line) => {
    const fault = FAULT.exec(line)
    if (fault === null) return []
    const [, file, row, column, code = '', message = ''] = fault
    return [{ at: file === undefined ? '' : `${file}:${row}:${column}`, code, message }]
  })
}
