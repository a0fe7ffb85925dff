/**
 * The tables of users. A user is read from one row; beside it stand the roles, for
 * the filter by role, and the social accounts, so that each belongs to one user.
 */
import { flag, foldOf, freeJson, integer, list, optionalText, text } from './store-columns.ts'
import type { StorePlan } from './store-table.ts'

export const userPlan: StorePlan = {
  brick: 'user',
  unique: 'identifier',
  table: {
    name: 'svc_user',
    columns: [
      text('id'),
      text('identifier'),
      foldOf('identifier'),
      optionalText('password'),
      list('roles'),
      flag('enabled'),
      flag('locked'),
      list('socialAccounts'),
      freeJson('metadata'),
      integer('createdAt'),
      integer('updatedAt')
    ],
    indexes: [
      { columns: ['identifier'], unique: true },
      { columns: [['createdAt', 'desc'], 'id'] },
      { columns: [['updatedAt', 'desc'], 'id'] },
      { columns: ['enabled', 'identifier'] },
      { columns: ['locked', 'identifier'] }
    ]
  }
}

export const userRolePlan: StorePlan = {
  brick: 'user',
  unique: 'role',
  table: {
    name: 'svc_user_role',
    columns: [text('role'), text('userId')],
    primaryKey: ['role', 'userId'],
    indexes: [{ columns: ['userId'] }]
  }
}

export const socialAccountPlan: StorePlan = {
  brick: 'user',
  unique: 'social account',
  table: {
    name: 'svc_social_account',
    columns: [text('provider'), text('subject'), text('userId')],
    primaryKey: ['subject', 'provider'],
    indexes: [{ columns: ['userId'] }]
  }
}
