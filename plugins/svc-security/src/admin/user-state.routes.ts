/**
 * What becomes of a user, for administrators: locked and unlocked, switched off and on, renamed, deleted. Each change can say
 * which version of the user it was made from (`If-Match`), and the last administrator stays one.
 */
import type { FastifyInstance } from 'fastify'
import { adminChange, ifMatch } from 'svc-kernel/plugin'
import { closed, textUpTo } from 'svc-kernel/schemas'
import { DuplicateRecord, InvalidRecord } from 'svc-stores'
import * as answers from '../api/answers.ts'
import { proven } from '../api/security-api.ts'
import { UserNotFound } from '../errors.ts'
import { checkGrant, keepingAdministrator, type Rights } from './user-rights.ts'
import { answered, type ById, keptHere, params, RIGHTS, USERS, type UsersParts, userOf } from './users.routes.ts'

/** By the last part of the path: the flag, its value, and whether the user may act more than before. */
const STATES = [
  ['lock', 'locked', true, false],
  ['unlock', 'locked', false, true],
  ['disable', 'enabled', false, false],
  ['enable', 'enabled', true, true]
] as const

export function userStateRoutes(fastify: FastifyInstance, parts: UsersParts): void {
  flagRoutes(fastify, parts)
  const { accounts, users, csrf, proof } = parts

  fastify.put<ById & { Body: { identifier: string } }>(
    `${USERS}/:id/identifier`,
    {
      ...proven(adminChange('svc.users.rename', csrf), proof),
      schema: {
        params,
        body: closed({ identifier: textUpTo(1024) }),
        response: { 200: answers.user },
        errors: [...RIGHTS, InvalidRecord, DuplicateRecord]
      }
    },
    async (request, reply) => {
      const seen = ifMatch(request)
      const user = await userOf(request.params.id, keptHere(accounts), users)
      checkGrant(request.token, user.roles, parts)
      if (!(await accounts.rename(user.identifier, request.body.identifier, seen))) throw new UserNotFound()
      return answered(reply, await userOf(user.id, accounts, users))
    }
  )

  fastify.delete<ById>(
    `${USERS}/:id`,
    {
      ...proven(adminChange('svc.users.delete', csrf), proof),
      schema: { params, response: { 200: answers.done }, errors: RIGHTS }
    },
    async (request) => {
      const seen = ifMatch(request)
      const user = await userOf(request.params.id, keptHere(accounts), users)
      // An administrator is switched off first: that can be taken back where two delete each other at once.
      const off = { ...user, enabled: false }
      let version = seen
      await keepingAdministrator(parts, user, off, async ({ enabled }) => {
        if (!parts.adminRoles.some((role) => user.roles.includes(role))) return true
        const isDone = await accounts.setEnabled(user.identifier, enabled, enabled ? undefined : seen)
        version = undefined
        return isDone
      })
      if (!(await accounts.remove(user.identifier, version))) throw new UserNotFound()
      return { ok: true }
    }
  )
}

function flagRoutes(fastify: FastifyInstance, parts: UsersParts): void {
  const { accounts, users, csrf } = parts
  for (const [word, flag, value, isGain] of STATES) {
    fastify.post<ById>(
      `${USERS}/:id/${word}`,
      {
        ...adminChange(`svc.users.${word}`, csrf),
        schema: { params, response: { 200: answers.user }, errors: RIGHTS }
      },
      async (request, reply) => {
        const seen = ifMatch(request)
        const user = await userOf(request.params.id, keptHere(accounts), users)
        if (isGain) checkGrant(request.token, user.roles, parts)
        const after = { ...user, [flag]: value }
        const change = (rights: Rights) => {
          const version = rights === after ? seen : undefined
          if (flag === 'locked') return accounts.setLocked(user.identifier, rights.locked, version)
          return accounts.setEnabled(user.identifier, rights.enabled, version)
        }
        await keepingAdministrator(parts, user, after, change)
        return answered(reply, await userOf(user.id, accounts, users))
      }
    )
  }
}
