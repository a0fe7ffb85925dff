/** Waits for the end of a transaction, as long as the command allows. */
import { CommandError } from '../failure/command-error.ts'

/** @throws CommandError 50 when `milliseconds` pass first; 0 waits without bound */
export async function waitFor(ended: Promise<void>, milliseconds: number): Promise<void> {
  if (milliseconds === 0) return ended
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new CommandError(50, 'operation exceeded time limit'))
    timer = setTimeout(fail, milliseconds).unref()
  })
  try {
    await Promise.race([ended, late])
  } finally {
    clearTimeout(timer)
  }
}
