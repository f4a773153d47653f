import type { MediaUploadMatched } from '@steward/proto/steward/event/v1/media_pb.ts';
import { announceReport, UNANNOUNCED_BY_SERVER } from '../core/announce-report.ts';
import { fileNewReport } from '../core/cases/file-new-report.ts';
import { inboxKey } from '../core/cases/inbox-key.ts';
import { keepEvidence } from '../core/cases/keep-evidence.ts';
import type { Deps } from '../core/deps.ts';
import { newReportKey, reportId } from '../core/report-id.ts';

/** How long further uploads of the content by the same user open no further report, in milliseconds: a day. */
const ONE_REPORT_PER_MS = 24 * 60 * 60 * 1_000;

/**
 * Opens a report of a medium that is known-bad content: one a day for each uploader and content, so that a client that repeats a refused
 * upload does not fill the inbox. A fact that is delivered again opens none.
 */
export async function onUploadMatched(deps: Deps, fact: MediaUploadMatched): Promise<void> {
  const { userId, sha256, contentUri, source, note, refused } = fact;
  const { mediaReports, clock } = deps;
  const occasion = `${sha256} ${userId}`;
  const received_ts = clock.now();
  const recent = { occasion, received_ts: { $gt: received_ts - ONE_REPORT_PER_MS } };
  if (await mediaReports.findOne(recent, { projection: { _id: 1 } })) return;
  const outcome = refused ? 'refused' : 'quarantined';
  const medium = { content_uri: contentUri, user_id: userId, sha256, outcome, source, note };
  const report = {
    _id: await newReportKey(deps, 'media_reports'),
    received_ts,
    media_uri: contentUri,
    uploader: userId,
    reason: [`An upload of known-bad content was ${outcome}`, source, note]
      .filter((text) => text !== '')
      .join(': '),
    occasion,
    unannounced: UNANNOUNCED_BY_SERVER,
    unfiled: true,
    ...(await keepEvidence.media(deps, userId, contentUri, medium)),
  } as const;
  await mediaReports.insertOne(report);
  await fileNewReport(deps, inboxKey('media', reportId(report)));
  await announceReport.media(deps, report);
}
