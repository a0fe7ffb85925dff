/** The published cases, by id. */
import { readFileSync } from 'node:fs'
import { inRepository } from '../documentation/repository.ts'

export interface SecurityCase {
  readonly id: string
  readonly area: string
  readonly given: string
  readonly when: string
  readonly then: string
}

const list = JSON.parse(readFileSync(inRepository('test/vectors/security-cases.json'), 'utf8')) as SecurityCase[]

export const securityCases: ReadonlyMap<string, SecurityCase> = new Map(list.map((entry) => [entry.id, entry]))

/** As many as the file has, duplicates included. */
export const publishedCount = list.length
