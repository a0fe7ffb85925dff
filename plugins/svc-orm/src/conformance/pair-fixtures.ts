/** Entities whose rows are named by several fields: of two references, and of text and a whole number. */
import { defineEntity, type EntityDefinition } from '../entities/entity-definition.ts'

const Student = defineEntity({
  name: 'Student',
  schema: { name: { type: 'string' } },
  relations: { enrolments: { type: 'one-to-many', target: 'Enrolment', mappedBy: 'student' } }
})

const Course = defineEntity({
  name: 'Course',
  schema: { title: { type: 'string' } },
  relations: { enrolments: { type: 'one-to-many', target: 'Enrolment', mappedBy: 'course' } }
})

const Enrolment = defineEntity({
  name: 'Enrolment',
  key: ['studentId', 'courseId'],
  schema: { grade: { type: 'integer', nullable: true } },
  relations: {
    student: { type: 'many-to-one', target: 'Student', onDelete: 'cascade' },
    course: { type: 'many-to-one', target: 'Course', onDelete: 'cascade' }
  },
  indexes: [{ fields: ['grade'] }],
  timestamps: true
})

const Seat = defineEntity({
  name: 'Seat',
  key: ['block', 'place'],
  schema: {
    block: { type: 'string', maxLength: 20 },
    place: { type: 'integer' },
    price: { type: 'integer', default: 0 }
  },
  relations: { holder: { type: 'many-to-one', target: 'Student', nullable: true, onDelete: 'setNull' } },
  softDelete: true,
  version: true
})

export const PAIR_DEFINITIONS: readonly EntityDefinition[] = [Student, Course, Enrolment, Seat]
