/** Operations other than DELETE that remove data, end access, or take it from many at once. */
const DESTRUCTIVE: ReadonlySet<string> = new Set([
  'AccountService_Deactivate',
  'AccountService_ResetPassword',
  'DeviceService_DeleteDevices',
  'HistoryPurgeService_PurgeHistory',
  'HistoryPurgeService_PurgeHistoryUpToEvent',
  'MaintenanceService_StartJob',
  'MediaAdministrationService_DeleteMediaBefore',
  'MediaAdministrationService_PurgeMediaCache',
  'MediaAdministrationService_QuarantineRoomMedia',
  'MediaAdministrationService_QuarantineUserMedia',
  'RoomOrderService_BanUserFromRooms',
  'RoomOrderService_RedactEvent',
  'RoomOrderService_UnbanUserFromRooms',
  'MediaInventoryService_OrderDeletion',
  'MediaInventoryService_OrderQuarantine',
  'UserRedactionService_RedactUser',
]);

/** Whether the command of an operation asks before it is done: every DELETE, and what else cannot be taken back. */
export function isDestructive({
  operationId,
  verb,
}: {
  readonly operationId: string;
  readonly verb: string;
}): boolean {
  return verb === 'DELETE' || DESTRUCTIVE.has(operationId);
}
