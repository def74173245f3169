package dev.ratelimit.integration.keys;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Known ways in which rate limiters confuse callers or miss calls, other than by a single
 * request, and the tests that cover each. ANN-: annotations; DISP-, PROTO-: requests that
 * are more than one dispatch; LOG-: floods of the log; PRIN-: users.
 */
class IdentityEntriesTests {

	private static final Map<String, List<String>> TESTED = Map.ofEntries(
			Map.entry("ANN-001",
					List.of("autoconfigure.WrongAnnotationsTests.theErrorsOfWrongAnnotationsAreUnchanged")),
			Map.entry("ANN-002",
					List.of("integration.annotation.AnnotatedBeanTests.anInterfaceMayBeAnnotatedWhateverTheProxy",
							"integration.annotation.AnnotatedBeanTests.classMethodAndComposedAnnotationsApply",
							"integration.annotation.AnnotatedHandlerTests.anInterfaceMayBeAnnotated",
							"integration.annotation.AnnotatedOrderTests."
									+ "aMethodOfASuperclassAndOneThatOverridesAGenericOneAreAnnotatedToo")),
			Map.entry("ANN-003",
					List.of("autoconfigure.WrongAnnotationsTests.theErrorsOfWrongAnnotationsAreUnchanged")),
			Map.entry("ANN-004",
					List.of("integration.annotation.AnnotatedOrderTests.aRefusedCallStartsNoTaskAndThrowsToItsCaller",
							"integration.annotation.AnnotatedBeanTests.anAsynchronousCallIsCountedWhereItIsMade")),
			Map.entry("ANN-005", List.of("integration.annotation.AnnotatedBeanTests.outsideARequestOneBucketIsForAll")),
			Map.entry("ANN-006",
					List.of("integration.annotation.AnnotatedBeanTests.textOfAnArgumentIsNeverAnExpression")),
			Map.entry("ANN-007", List.of(
					"integration.annotation.AnnotatedHandlerTests.anAnnotationAndARuleByPathCountOnceEach",
					"integration.annotation.AnnotatedHandlerTests.aRuleThatMatchesThePathAndIsNamedTooCountsOnce")),
			Map.entry("ANN-008",
					List.of("integration.annotation.AnnotatedOrderTests.aRefusedCallBeginsNoTransaction",
							"integration.annotation.AnnotatedOrderTests.aCallThatIsRetriedCountsOnce")),
			Map.entry("DISP-009", List.of("integration.routes.DispatchTests.errorDispatchesAreNotCounted")),
			Map.entry("DISP-010", List
				.of("web.servlet.RateLimitFilterTests.noRequestIsCountedTwiceByARuleHoweverManyFiltersItPasses")),
			Map.entry("DISP-011", List
				.of("integration.outcomes.OutcomeCommitTests.aClientThatDoesNotWaitHasTheOutcomeItWouldHaveSeen")),
			Map.entry("LOG-007", List
				.of("integration.operations.LogVolumeProof.tenThousandHostileRequestsLeaveALinePerCauseAndMinute")),
			Map.entry("PRIN-006",
					List.of("integration.routes.SecurityStagesTests.aFilterOnTheWrongSideOfSpringSecurityStopsTheStart",
							"rule.config.WrongSettingsContract.theErrorsOfWrongSettingsAreUnchanged")),
			Map.entry("PRIN-007", List.of("integration.keys.PrincipalKeysTests.eachNameHasABucketOfItsOwn")),
			Map.entry("PRIN-008", List.of("integration.keys.PrincipalKeysTests.theSameUserBySessionAndByTokenIsOne")),
			Map.entry("PROTO-002",
					List.of("integration.routes.DispatchTests.eachOfManyPipelinedRequestsIsCountedOnce")),
			Map.entry("PROTO-003",
					List.of("integration.routes.DispatchTests.eachStreamOfAnHttp2ConnectionIsCountedOnce")));

	@Test
	void theTestsThatAreNamedExist() {
		assertThat(TESTED).allSatisfy((entry, tests) -> assertThat(tests).isNotEmpty().allSatisfy((test) -> {
			int dot = test.lastIndexOf('.');
			Class<?> type = Class.forName("dev.ratelimit." + test.substring(0, dot));
			assertThat(Arrays.stream(type.getDeclaredMethods()))
				.anyMatch((method) -> method.getName().equals(test.substring(dot + 1)));
		}));
	}

}
