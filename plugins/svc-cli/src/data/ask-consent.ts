/** Asks the person at the terminal before data is deleted. Where there is none, the answer is no. */
import { createInterface } from 'node:readline/promises'

/** @returns `null` where there is no terminal to ask at */
export async function askConsent(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY) return null
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  const stopped = new AbortController()
  reader.once('SIGINT', () => stopped.abort())
  const answer = await reader.question(`${question} Type yes: `, { signal: stopped.signal }).catch(() => '')
  reader.close()
  return answer.trim().toLowerCase() === 'yes'
}
