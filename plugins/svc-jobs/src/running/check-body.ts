/** Reads the body of a job as its definition has it now, and says of a failure what a record may say. */
import { readableError } from 'svc-kernel/plugin'
import type { JobDefinition } from '../definitions/job-definition.ts'

type Checked = { readonly value: unknown; readonly fault?: undefined } | { readonly fault: string }

/** Never rejects. */
export async function checked({ check }: JobDefinition, body: unknown): Promise<Checked> {
  try {
    return { value: await check(body) }
  } catch (error) {
    return { fault: reasonOf(error) }
  }
}

/** The most that a record says of a failure, in characters. */
const REASON = 500

export function reasonOf(error: unknown): string {
  const { message } = readableError(error)
  return message.slice(0, REASON)
}
