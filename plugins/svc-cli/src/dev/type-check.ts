/**
 * Type errors beside the running code: `tsc --watch` in a process of its own,
 * which emits nothing. It starts after the first boot, as both want the processor.
 */
import { spawn } from 'node:child_process'
import { compilerOf } from '../application/compiler-of.ts'
import { TypeCheckOutput, type TypeFault } from './type-check-output.ts'

/** @returns how to stop it */
export function startTypeCheck(root: string, onRound: (faults: readonly TypeFault[]) => void): () => void {
  const tsc = compilerOf(root)
  if (tsc === null) return () => undefined
  const child = spawn(
    process.execPath,
    [tsc, '-p', root, '--noEmit', '--watch', '--preserveWatchOutput', '--pretty', 'false'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore']
    }
  )
  const output = new TypeCheckOutput(onRound)
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.write(text))
  child.on('error', () => undefined)
  return () => {
    child.kill()
  }
}
