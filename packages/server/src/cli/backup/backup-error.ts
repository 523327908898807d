import { LocalizedError, type Text } from '../../platform/language.js';

/** A failed backup or restore; `code` names the reason for programs. */
export class BackupError extends LocalizedError {
  readonly code: BackupFailure;

  constructor(code: BackupFailure, text: Text | string, options?: ErrorOptions) {
    super(typeof text === 'string' ? { es: text, en: text } : text, options);
    this.code = code;
  }

  override get name(): string {
    return 'BackupError';
  }
}

/** Why a backup or a restore failed. */
export type BackupFailure =
  | 'BACKUP_EXISTS'
  | 'BACKUP_FAILED'
  | 'BACKUP_TOOL_MISSING'
  | 'BACKUP_BEHIND_POOLER'
  | 'BACKUP_INVALID'
  | 'DATABASE_EXISTS'
  | 'DATABASE_IN_USE'
  | 'RESTORE_BY_HAND';
