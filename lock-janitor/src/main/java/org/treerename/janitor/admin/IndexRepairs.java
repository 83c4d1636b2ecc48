package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.treerename.elastic.IndexSurvey;
import org.treerename.elastic.PathMapping;
import org.treerename.elastic.PathMapping.Change;
import org.treerename.elastic.PathMapping.Step;
import org.treerename.janitor.proposal.PathGuess;
import org.treerename.janitor.proposal.RepairRequest;
import org.treerename.janitor.proposal.TreeProposal;

/**
 * Finds the requests that repair indices, so that searches for paths find all documents. This record only counts
 * documents, and changes nothing.
 *
 * @param mapping the changes that the mapping of the path field needs
 */
record IndexRepairs(MappedIndices indices, PathMapping mapping, IndexSurvey survey) {

    /**
     * Returns the necessary requests, in the order in which they must be sent. After these requests, searches for paths
     * find all documents.
     */
    List<RepairRequest> needed() {
        List<RepairRequest> repairs = new ArrayList<>();
        for (Change change : mapping.changes()) {
            if (change.step() != Step.NOTHING) {
                repairs.add(RepairRequest.mapping(change));
            }
            // if the path field is not mapped or is a runtime field, the index contains no values of the field: count
            // all documents
            long hidden = change.step() == Step.ADD_FIELD
                    ? survey.count(change.index())
                    : survey.count(change.index(), change.query());
            if (hidden > 0) {
                repairs.add(RepairRequest.indexAgain(
                        change.index(), change.query(), hidden, indices.hasDefaultPipeline(change.index())));
            }
        }
        return repairs;
    }

    /**
     * Returns optional requests for indices with a suitable mapping. Some requests index again the documents without a
     * searchable path. Other requests remove separators at the end of paths.
     */
    List<RepairRequest> useful(PathGuess guess, TreeProposal proposal) {
        List<RepairRequest> advice = new ArrayList<>();
        String searched = mapping.searched();
        for (Change change : mapping.changes()) {
            if (change.step() != Step.NOTHING) {
                continue;
            }
            boolean skipsPipeline = indices.hasDefaultPipeline(change.index());
            JsonNode notFound = PathMapping.notFound(searched);
            long pathless = survey.count(change.index(), notFound) - survey.count(change.index(), change.query());
            if (pathless > 0) {
                advice.add(RepairRequest.pathless(change.index(), notFound, pathless, skipsPipeline));
            }
            JsonNode ending = RepairRequest.ending(searched, guess.notation());
            long endings = proposal.endsWithSeparator() ? survey.count(change.index(), ending) : 0;
            if (endings > 0) {
                advice.add(RepairRequest.withoutEnd(
                        change.index(), guess.field(), ending, guess.notation(), endings, skipsPipeline));
            }
        }
        return advice;
    }
}
